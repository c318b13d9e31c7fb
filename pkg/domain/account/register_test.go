package account

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

func TestRegister(t *testing.T) {
	t.Parallel()
	s := open(t)
	gifts := 0
	s.gift = func(ctx context.Context, tx *db.Tx, shopper int64) error {
		gifts++
		return dbtest.Exec(ctx, tx, "UPDATE user SET user_level = 1 WHERE id = ?", shopper)
	}
	r := s.registration(t, "  Lin ", linMobile)
	e, err := s.Register(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, Profile{
		ID: 1, Username: "Lin", Nickname: "Lin", Mobile: linMobile, Avatar: "https://shop.test/avatar.png",
	}, e.Profile)
	require.Equal(t, 1, gifts)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE username_key = 'lin' AND user_level = 1 AND "+
		"gender = 0 AND last_login_ip = ? AND add_time = ? AND update_time = ? AND password_hash LIKE '$2a$%'",
		home, utc(noon()), utc(noon())))
	session, err := s.tokens.Find(t.Context(), e.Token, true)
	require.NoError(t, err)
	require.EqualValues(t, 1, session.Subject)
	_, err = s.Login(t.Context(), Credentials{Username: "lin", Password: password})
	require.NoError(t, err)
}

func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*Registration)
		want   error
		kept   bool // the code is still valid afterwards
	}{
		"name outside the rules first of all": {
			func(r *Registration) { *r = Registration{Username: "#", Mobile: "1"} }, errno.Invalid, true,
		},
		"short password before the mobile": {
			func(r *Registration) { r.Password, r.Mobile = "12345", "1" }, errno.Invalid, true,
		},
		"mobile before the code": {
			func(r *Registration) { r.Mobile, r.Code = "139", "0" }, errno.AuthInvalidMobile, true,
		},
		"another's number as a name": {
			func(r *Registration) { r.Username = "13900000007" }, errno.Invalid, true,
		},
		"code before the taken name": {
			func(r *Registration) { r.Username, r.Code = "lin", "000000" }, errno.AuthCaptchaUnmatched, true,
		},
		"no code was sent": {
			func(r *Registration) { r.Mobile = "13900000008" }, errno.AuthCaptchaUnmatched, true,
		},
		"taken name": {
			func(r *Registration) { r.Username = "LIN" }, errno.AuthNameRegistered, true,
		},
		"no app platform": {
			func(r *Registration) { r.AppCode = "x" }, errno.NotSupported, true,
		},
		"taken name, then no platform": {
			func(r *Registration) { r.Username, r.AppCode = "lin", "x" }, errno.AuthNameRegistered, true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.registered(t, "lin", linMobile)
			r := s.registration(t, "mei", "13900000002")
			good := r
			tt.change(&r)
			_, err := s.Register(t.Context(), r)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
			_, err = s.Register(t.Context(), good)
			require.NoError(t, err, "the refusal has not used up the code")
		})
	}
}

func TestRegisterRefusesTakenMobile(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	_, err := s.Register(t.Context(), s.registration(t, "mei", linMobile))
	require.ErrorIs(t, err, errno.AuthMobileRegistered)
	_, err = s.codes.take(t.Context(), linMobile, "123456")
	require.NoError(t, err, "put back")
}

// Otherwise one code would reveal who is registered: 704 or 705.
func TestACodeIsUsedUpAfterFiveRefusals(t *testing.T) {
	t.Parallel()
	taken := func(r Registration) Registration { r.Username = "LIN"; return r }
	wrong := func(r Registration) Registration { r.Code = "000000"; return r }
	for name, refusals := range map[string][]func(Registration) Registration{
		"taken names": {taken, taken, taken, taken, taken},
		"both kinds":  {taken, wrong, wrong, taken, wrong},
		"wrong first": {wrong, wrong, wrong, wrong, taken},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.registered(t, "lin", linMobile)
			good := s.registration(t, "mei", "13900000002")
			for i, refused := range refusals {
				_, err := s.Register(t.Context(), refused(good))
				require.Error(t, err)
				require.NotEqual(t, errno.Internal, errno.Of(err))
				if i == 3 { // the fifth attempt may still succeed
					last, err := s.codes.take(t.Context(), good.Mobile, good.Code)
					require.NoError(t, err)
					require.NoError(t, s.codes.restore(t.Context(), last))
				}
			}
			_, err := s.Register(t.Context(), good)
			require.ErrorIs(t, err, errno.AuthCaptchaUnmatched)
		})
	}
}

// The same holds for other operations with a code.
func TestACodeTellsOfFiveNumbersAtMost(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	id := s.registered(t, "mei", "13900000002")
	require.NoError(t, s.codes.save(t.Context(), linMobile, "123456"))
	change := MobileChange{Password: password, Mobile: linMobile, Code: "123456"}
	for range 5 {
		require.ErrorIs(t, s.ChangeMobile(t.Context(), id, change), errno.AuthMobileRegistered)
	}
	require.ErrorIs(t, s.ChangeMobile(t.Context(), id, change), errno.AuthCaptchaUnmatched)
}

// An internal failure does not use up the code.
func TestAFaultOfTheShopUsesNoTryUp(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.gift = func(context.Context, *db.Tx, int64) error { return errors.New("no database today") }
	r := s.registration(t, "lin", linMobile)
	for range 6 {
		_, err := s.Register(t.Context(), r)
		require.Equal(t, errno.Internal, errno.Of(err))
	}
	s.gift = func(context.Context, *db.Tx, int64) error { return nil }
	_, err := s.Register(t.Context(), r)
	require.NoError(t, err)
}

func TestCodeIsGoodForOneRegistration(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := s.registration(t, "lin", linMobile)
	_, err := s.Register(t.Context(), r)
	require.NoError(t, err)
	r.Username = "mei"
	_, err = s.Register(t.Context(), r)
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched)
}

func TestRegistrationRollsBackWithItsGift(t *testing.T) {
	t.Parallel()
	s := open(t)
	broken := errors.New("no gift today")
	s.gift = func(context.Context, *db.Tx, int64) error { return broken }
	r := s.registration(t, "lin", linMobile)
	_, err := s.Register(t.Context(), r)
	require.ErrorIs(t, err, broken)
	require.Equal(t, errno.Internal, errno.Of(err))
	require.Zero(t, s.int(t, "SELECT COUNT(*) FROM user"))
	s.gift = func(context.Context, *db.Tx, int64) error { return nil }
	_, err = s.Register(t.Context(), r)
	require.NoError(t, err)
}

// The name of a deleted account is free again.
func TestNameOfDeletedAccount(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	s.exec(t, "UPDATE user SET deleted = 1, del_mark = id")
	s.registered(t, "lin", linMobile)
}

// Twenty shoppers with different mobiles claim one name: one gets it.
func TestRaceForAName(t *testing.T) {
	t.Parallel()
	s := open(t)
	registrations := make([]Registration, 20)
	for i := range registrations {
		registrations[i] = s.registration(t, "lin", fmt.Sprintf("139000000%02d", i))
	}
	errs := race(registrations, func(r Registration) error {
		_, err := s.Register(context.Background(), r)
		return err
	})
	requireOneWins(t, errs, errno.AuthNameRegistered)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
}

// Twenty registrations with one code for one mobile under different names: one succeeds.
func TestRaceForACode(t *testing.T) {
	t.Parallel()
	s := open(t)
	good := s.registration(t, "lin", linMobile)
	registrations := make([]Registration, 20)
	for i := range registrations {
		registrations[i] = good
		registrations[i].Username = fmt.Sprintf("lin%d", i)
	}
	errs := race(registrations, func(r Registration) error {
		_, err := s.Register(context.Background(), r)
		return err
	})
	requireOneWins(t, errs, errno.AuthCaptchaUnmatched)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
}

// Twenty registrations pass the code check with one mobile, as two Redis replicas might let them: the unique key
// decides.
func TestRaceForAMobile(t *testing.T) {
	t.Parallel()
	s := open(t)
	registrations := make([]Registration, 20)
	for i := range registrations {
		registrations[i] = Registration{Username: fmt.Sprintf("lin%d", i), Password: password, Mobile: linMobile}
	}
	errs := race(registrations, func(r Registration) error {
		_, err := s.create(context.Background(), r)
		return err
	})
	requireOneWins(t, errs, errno.AuthMobileRegistered)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
}

func race[T any](all []T, run func(T) error) []error {
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, v := range all {
		wg.Go(func() { errs[i] = run(v) })
	}
	wg.Wait()
	return errs
}

func requireOneWins(t *testing.T, errs []error, others error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, others)
	}
	require.Equal(t, 1, won)
}

// A backup from before the newest account is restored, while Redis keeps its data: the next account gets the same id,
// but the tokens of the lost one are not valid for it.
func TestATokenDoesNotOutliveItsAccount(t *testing.T) {
	t.Parallel()
	s := open(t)
	first, err := s.Register(t.Context(), s.registration(t, "lin", linMobile))
	require.NoError(t, err)
	require.True(t, s.alive(t, first.Token))
	s.exec(t, "DELETE FROM user")
	s.exec(t, "ALTER TABLE user AUTO_INCREMENT = 1")
	second, err := s.Register(t.Context(), s.registration(t, "mei", "13900000002"))
	require.NoError(t, err)
	require.Equal(t, first.ID, second.ID)
	require.True(t, s.alive(t, second.Token))
	require.False(t, s.alive(t, first.Token))
}
