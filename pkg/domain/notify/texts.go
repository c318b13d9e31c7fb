package notify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"shop.internal/pkg/base/text"
)

// Texts are the templates of all messages: those of the catalogue in one language, or the owner's.
type Texts struct{ templates map[string]*template.Template }

// shopParam is the name of the shop, a parameter of every text message.
const shopParam = "shop"

// maxText bounds the bytes of a template and of a message.
const maxText = 16 << 10

// NewTexts returns the templates of a language, "zh" or "en". dir, unless empty, is a folder of templates that replace
// them, each in a file named after its message, such as sms.code.txt. It fails for a file without a message, for a
// template that is malformed or uses an unknown parameter, and for a verification message without the code.
func NewTexts(language, dir string) (*Texts, error) {
	own, err := templatesIn(dir)
	if err != nil {
		return nil, err
	}
	t := &Texts{map[string]*template.Template{}}
	var wrong []error
	for _, m := range text.Messages() {
		source, replaced := own[m.Key]
		if !replaced {
			source = m.In(language)
			if m.Kind == text.SMS {
				source = text.SMSShop.In(language) + source
			}
		}
		parsed, err := template.New(m.Key).Option("missingkey=error").Parse(source)
		if err == nil {
			t.templates[m.Key] = parsed
			err = t.check(m)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s.txt: %w", m.Key, err))
		}
	}
	return t, errors.Join(wrong...)
}

// templatesIn reads the owner's templates.
func templatesIn(dir string) (map[string]string, error) {
	own := map[string]string{}
	if dir == "" {
		return own, nil
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the folder of templates: %w", err)
	}
	var wrong []error
	for _, f := range files {
		name, isText := strings.CutSuffix(f.Name(), ".txt")
		if strings.HasPrefix(f.Name(), ".") { // what editors and volumes leave
			continue
		}
		if _, known := text.FindMessage(name); !known || !isText {
			wrong = append(wrong, fmt.Errorf("%s: no message has this name", f.Name()))
			continue
		}
		source, err := os.ReadFile(filepath.Join(dir, f.Name())) //nolint:gosec // a file of the folder that the owner names
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: cannot be read", f.Name()))
		case len(source) > maxText:
			wrong = append(wrong, fmt.Errorf("%s: is above %d bytes", f.Name(), maxText))
		default:
			own[name] = string(source)
		}
	}
	return own, errors.Join(wrong...)
}

// check renders a message with a value for each parameter. An empty message is not sent; a verification message must
// contain the code.
func (t *Texts) check(m *text.Message) error {
	const value = "135790"
	sample := map[string]string{}
	if m.Kind == text.SMS {
		sample[shopParam] = "shop"
	}
	for _, p := range m.Params {
		sample[p] = value
	}
	whole, err := t.Render(m, sample)
	if err != nil {
		return err
	}
	if m == text.SMSCode && !strings.Contains(whole, value) {
		return errors.New("does not say the code")
	}
	return nil
}

// Render renders a message as one text.
func (t *Texts) Render(m *text.Message, params map[string]string) (string, error) {
	var words strings.Builder
	if err := t.templates[m.Key].Execute(&words, params); err != nil {
		return "", fmt.Errorf("put %s into words: %w", m.Key, err)
	}
	return strings.TrimSpace(words.String()), nil
}

// RenderParams renders a message and splits off its first line.
func (t *Texts) RenderParams(m *text.Message, params map[string]string) (subject, words string, err error) {
	whole, err := t.Render(m, params)
	subject, words, _ = strings.Cut(whole, "\n")
	return strings.TrimSpace(subject), strings.TrimSpace(words), err
}
