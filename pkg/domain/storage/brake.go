package storage

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/text"
)

// How many files one shopper, and one address of people who are not logged in, may send in an hour.
const (
	perShopper = 120
	perAddress = 60
	brakeHour  = time.Hour
)

// takePlace takes one place below a cap for as long as its window lasts; what it refuses does not count. ARGV: the cap,
// the milliseconds of the window.
var takePlace = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`)

// Admit takes one of the places that an hour has for the files of a shopper, or of an address where nobody is logged in
// (shopper 0). It fails with errno.Invalid where they are used up.
func (s *Service) Admit(ctx context.Context, shopper int64, address string) error {
	who, most := address, perAddress
	if shopper != 0 {
		who, most = strconv.FormatInt(shopper, 10), perShopper
	}
	ok, err := takePlace.Run(ctx, s.redis, []string{"brake:{upload:" + who + "}"}, most, brakeHour.Milliseconds()).Bool()
	if err != nil {
		return fmt.Errorf("brake the uploads of %s: %w", who, err)
	}
	if !ok {
		return fmt.Errorf("too many uploads of %s within an hour: %w", who, errno.Invalid.Because(text.UploadsTooMany))
	}
	return nil
}
