package notify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/notify"
)

// kept is a sender that stores its messages.
type kept struct {
	notify.None

	sms  []notify.SMS
	mail []notify.Mail
}

func (k *kept) SMS(_ context.Context, m notify.SMS) error {
	k.sms = append(k.sms, m)
	return nil
}

func (k *kept) Mail(_ context.Context, m notify.Mail) error {
	k.mail = append(k.mail, m)
	return nil
}

// templates returns a folder of the owner's templates.
func templates(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, words := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(words), 0o600))
	}
	return dir
}

// shopName returns the name of a shop.
func shopName(context.Context) (string, error) { return "茶铺", nil }

func TestTheCatalogueInBothLanguages(t *testing.T) {
	for language, want := range map[string]string{
		"zh": "【茶铺】您的验证码是 246802，5 分钟内有效，请勿告诉他人。",
		"en": "[茶铺] 246802 is your verification code, valid for 5 minutes. Do not share it.",
	} {
		texts, err := notify.NewTexts(language, "")
		require.NoError(t, err)
		k := &kept{}
		s := notify.New(k, texts, shopName)
		params := map[string]string{"code": "246802", "minutes": "5"}
		require.NoError(t, s.SMS(t.Context(), "", "13900000001", text.SMSCode, params))
		require.Equal(t, want, k.sms[0].Text)
		require.Equal(t, "sms.code", k.sms[0].Name)
		require.Equal(t, params, k.sms[0].Params)
		require.NotEmpty(t, k.sms[0].ID)
	}
}

// Every message contains all its parameters, in each language; a mail and a notice have a subject of valid length.
func TestEveryMessageSaysWhatItIsAbout(t *testing.T) {
	for _, language := range []string{text.Chinese, text.English} {
		texts, err := notify.NewTexts(language, "")
		require.NoError(t, err)
		for _, m := range text.Messages() {
			params := map[string]string{"shop": "<shop>"}
			for _, p := range m.Params {
				params[p] = "<" + p + ">"
			}
			whole, err := texts.Render(m, params)
			require.NoError(t, err)
			for _, p := range m.Params {
				require.Contains(t, whole, "<"+p+">", "%s in %s", m.Key, language)
			}
			require.Contains(t, []string{text.SMS, text.Mail, text.Notice}, m.Kind)
			subject, words, err := texts.RenderParams(m, params)
			require.NoError(t, err)
			require.LessOrEqual(t, len([]rune(subject)), 200)
			if m.Kind == text.Notice {
				require.LessOrEqual(t, len([]rune(subject)), 63)
			}
			require.Equal(t, m.Kind == text.SMS, words == "", "%s in %s", m.Key, language)
		}
	}
}

func TestTheOwnersTemplates(t *testing.T) {
	texts, err := notify.NewTexts("zh", templates(t, map[string]string{
		"sms.code.txt":           "【茶铺】{{.code}}\n",
		"sms.order-paid.txt":     " \n",
		"sms.order-refunded.txt": "{{.order}} ({{.shop}})",
		"mail.test.txt":          "Subject\n\nFirst\nSecond\n",
		".keep":                  "what a volume leaves",
	}))
	require.NoError(t, err)
	k := &kept{}
	s := notify.New(k, texts, shopName)
	require.NoError(t, s.SMS(t.Context(), "7", "13900000001", text.SMSCode, map[string]string{"code": "246802"}))
	require.NoError(t, s.SMS(t.Context(), "8", "13900000001", text.SMSOrderPaid, map[string]string{"order": "1"}))
	require.Len(t, k.sms, 1, "what the owner has emptied is not sent")
	require.Equal(t, "【茶铺】246802", k.sms[0].Text)
	require.Equal(t, "7", k.sms[0].ID)
	require.NoError(t, s.SMS(t.Context(), "8", "13900000001", text.SMSOrderRefunded, map[string]string{"order": "1"}))
	require.Equal(t, "1 (茶铺)", k.sms[1].Text, "where the owner wants the name")
	require.NoError(t, s.Mail(t.Context(), "9", nil, text.MailTest, nil))
	require.Equal(t, "Subject|First\nSecond", k.mail[0].Subject+"|"+k.mail[0].Text)
}

// A text message waits for the name of the shop. What needs no name is sent without asking for it.
func TestTheNameOfTheShop(t *testing.T) {
	texts, err := notify.NewTexts("en", "")
	require.NoError(t, err)
	k := &kept{}
	code := map[string]string{"code": "246802", "minutes": "5"}
	down := errors.New("down")
	s := notify.New(k, texts, func(context.Context) (string, error) { return "", down })
	require.ErrorIs(t, s.SMS(t.Context(), "", "13900000001", text.SMSCode, code), down)
	require.NoError(t, s.Mail(t.Context(), "", nil, text.MailTest, nil))
	require.Empty(t, k.sms)
	require.NoError(t, notify.New(k, texts, nil).SMS(t.Context(), "", "13900000001", text.SMSCode, code))
	require.Equal(t, "246802 is your verification code, valid for 5 minutes. Do not share it.", k.sms[0].Text)
	require.Equal(t, map[string]string{"code": "246802", "minutes": "5"}, code, "parameters of templates of services")
}

func TestTemplatesThatStopTheStart(t *testing.T) {
	tests := map[string]struct{ name, words, want string }{
		"an unknown name":    {"sms.pin.txt", "x", "sms.pin.txt: no message has this name"},
		"another ending":     {"sms.code.tmpl", "{{.code}}", "sms.code.tmpl: no message has this name"},
		"malformed":          {"sms.code.txt", "{{.code", "sms.code.txt: "},
		"an unknown member":  {"sms.code.txt", "{{.pin}}", `map has no entry for key "pin"`},
		"a code left unsaid": {"sms.code.txt", "hello", "does not say the code"},
		"no code at all":     {"sms.code.txt", "", "does not say the code"},
		"too long":           {"sms.code.txt", "{{.code}}" + strings.Repeat("x", 16<<10), "is above 16384 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := notify.NewTexts("zh", templates(t, map[string]string{tt.name: tt.words}))
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, err := notify.NewTexts("zh", "/nowhere")
	require.ErrorContains(t, err, "read the folder of templates")
	_, err = notify.NewTexts("zh", templates(t, map[string]string{"a.txt": "", "b.txt": ""}))
	require.ErrorContains(t, err, "a.txt")
	require.ErrorContains(t, err, "b.txt", "all of them at once")
}

// The manual lists every message with its parameters.
func TestTheManualListsTheMessages(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/operate/configure.md")
	require.NoError(t, err)
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| `((?:sms|mail|notice)\\.[a-z-]+)` \\| ([^|]*) \\|").FindAllStringSubmatch(string(manual), -1) {
		named = append(named, row[1])
		m, known := text.FindMessage(row[1])
		require.True(t, known, row[1])
		var params []string
		for _, p := range m.Params {
			params = append(params, "`"+p+"`")
		}
		require.Equal(t, strings.Join(params, ", "), strings.TrimSpace(row[2]), row[1])
	}
	var all []string
	for _, m := range text.Messages() {
		all = append(all, m.Key)
	}
	slices.Sort(named)
	slices.Sort(all)
	require.Equal(t, all, named)
}
