package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/notify/notifytest"
	"shop.internal/pkg/domain/storage/storagetest"
	"shop.internal/pkg/kit/ratio"
	"shop.internal/services/admin/internal/apitest"
)

// owner opens a shop by following docs/operate/install.md.
type owner struct {
	*testing.T
	bin         string
	environment []string
	shop, staff string // addresses of the services
}

// The section "Opening a shop" of docs/operate/install.md, step by step, on an empty database and with demo: false, up to the
// first order that is paid and shipped. The verification code is sent through a mail server, the files are in an object
// store.
func TestAnOwnerOpensAShop(t *testing.T) {
	db := database(t)
	mail, files := notifytest.OpenSMTP(t, notifytest.Behaviour{}), storagetest.Open(t)
	o := &owner{T: t, bin: apitest.Programs(t), shop: freeAddress(t), staff: freeAddress(t)}
	o.configure(map[string]string{
		"SMS_SENDER": "mail", "SMS_MAIL_TO": "{mobile}@sms.example.com", "MAIL_SMTP_HOST": mail.Host,
		"MAIL_SMTP_PORT": fmt.Sprint(mail.Port), "MAIL_SMTP_FROM": "shop@example.com", "MAIL_SMTP_CA_FILE": mail.CAFile,
		"MAIL_SMTP_USERNAME": notifytest.Username, "MAIL_SMTP_PASSWORD": notifytest.Password,
		"STORAGE_DRIVER": "s3", "STORAGE_S3_ENDPOINT": files.Address, "STORAGE_S3_REGION": storagetest.Region,
		"STORAGE_S3_BUCKET": "shop", "STORAGE_S3_ACCESS_KEY": storagetest.AccessKey,
		"STORAGE_S3_SECRET_KEY": storagetest.SecretKey,
	})
	for _, program := range []string{"storefront", "admin"} { // step 1
		require.Equal(t, "the configuration is good\n", o.run("", program, "--check-config"))
	}
	said := o.run("", "shopctl", "setup", "--operator", "owner_one") // step 2
	password := regexp.MustCompile(`password: (\S+)\n`).FindStringSubmatch(said)
	require.Len(t, password, 2, said)
	require.Contains(t, o.run("", "shopctl", "setup"), "regions: up to date", "it may be run again")
	storefront, admin := o.start("storefront"), o.start("admin") // step 3
	o.ready(o.shop+"/wx/home/index", storefront)
	o.ready(o.staff+"/admin/auth/kaptcha", admin)

	product, goods := o.stock(password[1])
	token := o.register(mail)
	order := o.buy(token, goods, product)
	o.sell(password[1], order)

	detail := o.call("GET", fmt.Sprintf("%s/wx/order/detail?orderId=%d", o.shop, order), token, nil)
	info := detail["orderInfo"].(map[string]any)
	require.Equal(t, "张三", info["consignee"])
	require.Equal(t, "浙江省杭州市西湖区 文三路 1 号", info["address"])
	require.EqualValues(t, 301, o.number(db.QueryRowContext(t.Context(), "SELECT order_status FROM orders")))
	said = o.run("", "shopctl", "verify")
	require.Empty(t, strings.TrimPrefix(said, noHead+"\n"), "the books agree; the nightly check may not be done yet")
	var types []string
	for _, o := range files.Objects() {
		types = append(types, o.Type)
	}
	require.Contains(t, types, "image/png", "the picture of the goods")
	for _, p := range []*exec.Cmd{storefront, admin} {
		require.NoError(t, p.Process.Signal(syscall.SIGTERM))
		require.NoError(t, p.Wait(), "an orderly end")
	}
}

func (o *owner) number(row interface{ Scan(...any) error }) (n int64) {
	o.Helper()
	require.NoError(o, row.Scan(&n))
	return n
}

// configure is step 1, with what else the shop depends on. The variables set for the helper database apply to admin and
// shopctl; the storefront gets the same.
func (o *owner) configure(more map[string]string) {
	both := map[string]string{
		"MYSQL_DSN": os.Getenv("ADMIN_MYSQL_DSN"), "REDIS_ADDR": os.Getenv("ADMIN_REDIS_ADDR"),
		"REDIS_DB":    os.Getenv("ADMIN_REDIS_DB"),
		"STORAGE_DIR": o.TempDir(), "STORAGE_BASE_URL": o.shop + "/wx/storage/fetch/",
		"SECRETS_IDEMPOTENCY": rand.Text() + rand.Text(),
		"MYSQL_SLOW":          "0", // a busy machine is no fault of the shop, and some tests compare the log
	}
	maps.Copy(both, more)
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "ADMIN_") && !strings.HasPrefix(entry, "STOREFRONT_") {
			o.environment = append(o.environment, entry)
		}
	}
	for name, value := range both {
		o.environment = append(o.environment, "STOREFRONT_"+name+"="+value, "ADMIN_"+name+"="+value)
	}
	o.environment = append(o.environment, "STOREFRONT_SECRETS_CODES="+rand.Text()+rand.Text(),
		"STOREFRONT_LISTEN="+strings.TrimPrefix(o.shop, "http://"), "STOREFRONT_OPS_LISTEN=127.0.0.1:0",
		"ADMIN_LISTEN="+strings.TrimPrefix(o.staff, "http://"), "ADMIN_OPS_LISTEN=127.0.0.1:0")
}

func (o *owner) command(program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(o.Context(), filepath.Join(o.bin, program), args...)
	c.Dir, c.Env = o.TempDir(), o.environment
	return c
}

// run runs a program to its end and returns its output.
func (o *owner) run(input, program string, args ...string) string {
	o.Helper()
	c := o.command(program, args...)
	c.Stdin = strings.NewReader(input)
	out, err := c.CombinedOutput()
	require.NoError(o, err, "%s %v: %s", program, args, out)
	return string(out)
}

// start starts a service, whose log is shown if the test fails.
func (o *owner) start(name string) *exec.Cmd {
	o.Helper()
	c := o.command(name)
	log, err := os.Create(filepath.Join(c.Dir, "log"))
	require.NoError(o, err)
	c.Stdout, c.Stderr = log, log
	require.NoError(o, c.Start())
	o.Cleanup(func() {
		_ = c.Process.Kill() // if the test has not stopped it
		if text, err := os.ReadFile(log.Name()); o.Failed() && err == nil {
			o.Logf("%s:\n%s", name, text)
		}
		require.NoError(o, log.Close())
	})
	return c
}

// logOf is the log of a service so far.
func (o *owner) logOf(c *exec.Cmd) string {
	o.Helper()
	text, err := os.ReadFile(c.Stdout.(*os.File).Name())
	require.NoError(o, err)
	return string(text)
}

func (o *owner) ready(address string, c *exec.Cmd) {
	o.Helper()
	client := &http.Client{Timeout: time.Second}
	require.Eventually(o, func() bool {
		answer, err := client.Get(address)
		return err == nil && errors.Join(answer.Body.Close()) == nil && answer.StatusCode == http.StatusOK
	}, time.Minute, 50*time.Millisecond, "%s does not answer", c.Path)
}

// call makes one call of a client that must succeed, and returns its data.
func (o *owner) call(method, address, token string, body any) map[string]any {
	o.Helper()
	data := o.data(method, address, token, "application/json", body)
	members, _ := data.(map[string]any)
	return members
}

func (o *owner) data(method, address, token, kind string, body any) any {
	o.Helper()
	raw, ready := body.([]byte)
	if !ready && body != nil {
		var err error
		raw, err = json.Marshal(body)
		require.NoError(o, err)
	}
	r, err := http.NewRequestWithContext(o.Context(), method, address, bytes.NewReader(raw))
	require.NoError(o, err)
	if body != nil {
		r.Header.Set("Content-Type", kind)
	}
	header := "X-Shop-Token"
	if strings.HasPrefix(address, o.staff) {
		header = "X-Shop-Admin-Token"
	}
	r.Header.Set(header, token)
	answer, err := (&http.Client{Timeout: 30 * time.Second}).Do(r)
	require.NoError(o, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(o, err)
	var e struct {
		Errno int
		Data  any
	}
	require.NoError(o, json.Unmarshal(text, &e), "%s %s: %s", method, address, text)
	require.Zero(o, e.Errno, "%s %s: %s", method, address, text)
	return e.Data
}

type fields = map[string]any

// logIn logs the operator in.
func (o *owner) logIn(password string) string {
	o.Helper()
	return o.call("POST", o.staff+"/admin/auth/login", "", fields{"username": "owner_one", "password": password})["token"].(string)
}

// stock is step 4: a picture, categories, a brand, goods.
func (o *owner) stock(password string) (product, goods int64) {
	o.Helper()
	token := o.logIn(password)
	url := o.upload(token)
	require.True(o, strings.HasPrefix(url, o.shop+"/wx/storage/fetch/"), url)
	picture, err := (&http.Client{Timeout: time.Minute}).Get(url)
	require.NoError(o, err)
	require.NoError(o, picture.Body.Close())
	require.Equal(o, "image/png", picture.Header.Get("Content-Type"), "everybody can see it")

	id := func(data fields) int64 { return int64(data["id"].(float64)) }
	first := id(o.call("POST", o.staff+"/admin/category/create", token, fields{"name": "茶", "level": "L1"}))
	second := id(o.call("POST", o.staff+"/admin/category/create", token, fields{"name": "绿茶", "level": "L2", "pid": first}))
	brand := id(o.call("POST", o.staff+"/admin/brand/create", token, fields{
		"name": "山月", "desc": "一座山", "picUrl": url, "floorPrice": 0,
	}))
	o.data("POST", o.staff+"/admin/goods/create", token, "application/json", fields{
		"goods": fields{
			"goodsSn": "T1", "name": "明前茶", "categoryId": second, "brandId": brand, "picUrl": url, "gallery": []string{url},
			"counterPrice": 128,
		},
		"specifications": []fields{{"specification": "规格", "value": "一罐"}},
		"products":       []fields{{"specifications": []string{"一罐"}, "price": 99.5, "number": 10, "url": url}},
		"attributes":     []fields{},
	})
	var list []any
	require.Eventually(o, func() bool { // the storefront reads the changes of goods several times a second
		list = o.call("GET", o.shop+"/wx/goods/list", "", nil)["list"].([]any)
		return len(list) == 1
	}, time.Minute, 50*time.Millisecond, "shoppers see it")
	goods = id(list[0].(fields))
	detail := o.call("GET", fmt.Sprintf("%s/wx/goods/detail?id=%d", o.shop, goods), "", nil)
	return id(detail["productList"].([]any)[0].(fields)), goods
}

func (o *owner) upload(token string) string {
	o.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "tea.png")
	require.NoError(o, err)
	require.NoError(o, png.Encode(part, image.NewGray(image.Rect(0, 0, 8, 8))))
	require.NoError(o, w.Close())
	stored := o.data("POST", o.staff+"/admin/storage/create", token, w.FormDataContentType(), form.Bytes())
	return stored.(fields)["url"].(string)
}

// register is the first half of step 5: a code by mail, and the account.
func (o *owner) register(mail *notifytest.SMTP) string {
	o.Helper()
	const mobile = "13812345678"
	o.call("POST", o.shop+"/wx/auth/regCaptcha", "", fields{"mobile": mobile})
	letters := mail.Mails()
	require.Len(o, letters, 1)
	require.Equal(o, []string{mobile + "@sms.example.com"}, letters[0].To)
	require.True(o, letters[0].Safe, "by TLS")
	code := regexp.MustCompile(`\d{6}`).FindString(letters[0].Text)
	require.NotEmpty(o, code, letters[0].Text)
	entry := o.call("POST", o.shop+"/wx/auth/register", "", fields{
		"username": "zhangsan", "password": "tea-lover-1", "mobile": mobile, "code": code,
	})
	return entry["token"].(string)
}

// buy is the second half of step 5: an address from the regions, the cart, the order.
func (o *owner) buy(token string, goods, product int64) int64 {
	o.Helper()
	parent, names, code := int64(0), []string{}, 0
	for _, name := range []string{"浙江省", "杭州市", "西湖区"} {
		found := false
		regions := o.data("GET", fmt.Sprintf("%s/wx/region/list?pid=%d", o.shop, parent), "", "", nil)
		for _, r := range regions.([]any) {
			if r := r.(fields); r["name"] == name {
				parent, code, found = int64(r["id"].(float64)), int(r["code"].(float64)), true
			}
		}
		require.True(o, found, name)
		names = append(names, name)
	}
	require.Equal(o, 330106, code)
	address := o.data("POST", o.shop+"/wx/address/save", token, "application/json", fields{
		"name": "张三", "tel": "13812345678", "province": names[0], "city": names[1], "county": names[2],
		"areaCode": fmt.Sprint(code), "addressDetail": "文三路 1 号", "isDefault": true,
	})
	o.data("POST", o.shop+"/wx/cart/add", token, "application/json", fields{"goodsId": goods, "productId": product, "number": 2})
	placed := o.call("POST", o.shop+"/wx/order/submit", token, fields{
		"cartId": 0, "addressId": address, "couponId": 0, "message": "",
	})
	return int64(placed["orderId"].(float64))
}

// sell is step 6: the operator records an offline payment, and ships.
func (o *owner) sell(password string, order int64) {
	o.Helper()
	token := o.logIn(password)
	detail := o.call("GET", fmt.Sprintf("%s/admin/order/detail?id=%d", o.staff, order), token, nil)
	price := detail["order"].(fields)["actualPrice"]
	require.EqualValues(o, 199, price, "two at 99.50, without freight")
	o.data("POST", o.staff+"/admin/order/pay", token, "application/json", fields{"orderId": order, "newMoney": price})
	o.data("POST", o.staff+"/admin/order/ship", token, "application/json", fields{
		"orderId": order, "shipSn": "75300000001", "shipChannel": "ZTO",
	})
}

// freeAddress is a free address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	return "http://" + ratio.FreePort(t)
}
