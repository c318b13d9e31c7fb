package app_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/storage"
)

// TestPeopleWithoutAPicture calls everything that shows pictures of people: those without one get the default, which is
// never stored, even if a client sends it back.
func TestPeopleWithoutAPicture(t *testing.T) {
	t.Parallel()
	const shopper, operator = "https://shop.test/shopper.png", "https://shop.test/operator.png"
	s := domaintest.Open(t)
	d := s.ShowingAvatars(shopper, operator)
	ctx := t.Context()
	lin := s.Shopper("lin")
	s.Operator("amy", "*")
	s.Exec("UPDATE user SET avatar = ''")
	q := page.Query{Page: 1, Limit: 5, Sort: "add_time"}

	p, err := d.Accounts.Info(ctx, lin)
	require.NoError(t, err)
	require.Equal(t, shopper, p.Avatar)
	people, err := d.Accounts.Persons(ctx, []int64{lin})
	require.NoError(t, err)
	require.Equal(t, shopper, people[lin].Avatar)
	members, err := d.Accounts.Members(ctx, account.MemberFilter{}, q)
	require.NoError(t, err)
	require.Equal(t, shopper, members.Items[0].Avatar)
	m, err := d.Accounts.Member(ctx, lin)
	require.NoError(t, err)
	require.Equal(t, shopper, m.Avatar)
	require.NoError(t, d.Accounts.SaveProfile(ctx, lin, account.Changes{Nickname: "Lin", Avatar: shopper}))
	require.Empty(t, s.Text("SELECT avatar FROM user"))

	amy, token, err := d.Sessions.LogIn(ctx, access.Credentials{Username: "amy", Password: domaintest.Password})
	require.NoError(t, err)
	require.Equal(t, operator, amy.Avatar)
	found, err := d.Sessions.Find(ctx, token, false)
	require.NoError(t, err)
	require.Equal(t, operator, found.Avatar)
	read, err := d.Access.Find(ctx, amy.ID)
	require.NoError(t, err)
	require.Equal(t, operator, read.Avatar)
	list, err := d.Access.Operators(ctx, "", q)
	require.NoError(t, err)
	require.Equal(t, operator, list.Items[0].Avatar)
	sent := operator
	changed, err := d.Access.UpdateOperator(ctx, actor.Operator(amy.ID), amy.ID, access.OperatorChange{Avatar: &sent})
	require.NoError(t, err)
	require.Equal(t, operator, changed.Avatar)
	require.Empty(t, s.Text("SELECT COALESCE(avatar, '') FROM admin"))

	for _, key := range []string{storage.ShopperPicture, storage.OperatorPicture} {
		o, file, err := d.Storage.Open(ctx, key)
		require.NoError(t, err)
		require.Equal(t, "image/png", o.Type)
		data, err := io.ReadAll(file)
		require.NoError(t, err)
		require.Len(t, data, int(o.Size))
		require.NoError(t, file.Close())
	}
}
