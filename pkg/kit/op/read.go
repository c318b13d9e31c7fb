package op

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
)

// maxDepth is the maximum nesting of a body; operations declare only a few levels.
const maxDepth = 32

// query parses the query string, ignoring undeclared parameters. A semicolon is an ordinary character, as browsers
// write it. It fails with errno.Invalid if the text of a declared name cannot be decoded.
func (p *plan) query(raw string) ([]received, error) {
	out := make([]received, len(p.names))
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		name, t, _ := strings.Cut(pair, "=")
		slot, known := p.names[name]
		if !known {
			if slot, known = p.decoded(name); !known {
				continue
			}
		}
		if strings.ContainsAny(t, "%+") {
			var err error
			if t, err = url.QueryUnescape(t); err != nil {
				return nil, p.at(slot).refuse(wording.ValidationFormat)
			}
		}
		switch g := &out[slot]; {
		case !g.present:
			g.present, g.text = true, t
		default:
			g.more = append(g.more, t)
		}
	}
	return out, nil
}

// complete adds the values that a body lacks from the query string.
func (p *plan) complete(values []received, raw string) error {
	query, err := p.query(raw)
	if err != nil {
		return err
	}
	for i := range values {
		if !values[i].present {
			values[i] = query[i]
		}
	}
	return nil
}

// decoded looks up a name with escapes, as k%5B%5D is k[].
func (p *plan) decoded(name string) (slot int, known bool) {
	if !strings.ContainsAny(name, "%+") {
		return 0, false
	}
	name, err := url.QueryUnescape(name)
	if err != nil {
		return 0, false
	}
	slot, known = p.names[name]
	return slot, known
}

// at returns the member that a slot belongs to.
func (p *plan) at(slot int) *field {
	i := slices.IndexFunc(p.fields, func(f field) bool {
		return slices.Contains(f.slots, slot) || slices.Contains(f.brackets, slot)
	})
	return &p.fields[i]
}

// body parses a JSON object, ignoring undeclared members; of repeated members the last one counts. An empty body counts
// as {}. It fails with errno.Invalid.
func (p *plan) body(body []byte) ([]received, error) {
	body = bytes.Trim(body, " \t\r\n")
	if len(body) == 0 {
		return make([]received, len(p.names)), nil
	}
	if body[0] != '{' || !json.Valid(body) {
		return nil, errno.Invalid.Because(wording.BodyNotJSON)
	}
	if tooDeep(body) {
		return nil, errno.Invalid.Because(wording.BodyTooDeep)
	}
	if p.free {
		return each(body)
	}
	return p.parts(body), nil
}

// parts returns the declared members of a valid JSON object.
func (p *plan) parts(body []byte) []received {
	out := make([]received, len(p.names))
	for i := next(body, 1); body[i] != '}'; {
		end := skip(body, i)
		slot, known := p.member(body[i:end])
		i = next(body, next(body, end)+1) // past the colon
		end = skip(body, i)
		if known {
			out[slot] = received{present: true, json: body[i:end]}
		}
		if i = next(body, end); body[i] == ',' {
			i = next(body, i+1)
		}
	}
	return out
}

// member looks up the quoted name of a member.
func (p *plan) member(quoted []byte) (slot int, known bool) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		slot, known = p.names[string(quoted[1:len(quoted)-1])]
		return slot, known
	}
	name, ok := unquote(quoted)
	if !ok {
		return 0, false
	}
	slot, known = p.names[name]
	return slot, known
}

// items splits a valid JSON array.
func items(array []byte) [][]byte {
	var out [][]byte
	for i := next(array, 1); array[i] != ']'; {
		end := skip(array, i)
		out = append(out, array[i:end])
		if i = next(array, end); array[i] == ',' {
			i = next(array, i+1)
		}
	}
	return out
}

// next returns the position of the first character from i on that is no blank.
func next(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' {
		i++
	}
	return i
}

// skip returns the position after the value at i of a valid JSON text.
func skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipText(b, i)
	case '{', '[':
		depth := 0
		for ; ; i++ {
			switch b[i] {
			case '"':
				i = skipText(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(b[i])) {
		i++
	}
	return i
}

func skipText(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func tooDeep(body []byte) bool {
	depth := 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			i = skipText(body, i) - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// unquote decodes a JSON string.
func unquote(quoted []byte) (string, bool) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), true
	}
	var t string
	err := json.Unmarshal(quoted, &t)
	return t, err == nil
}

func (f *field) isBlank(quoted []byte) bool {
	t, ok := unquote(quoted)
	return ok && f.blankIn(t)
}

func isEmptyList(raw []byte) bool { return raw[0] == '[' && raw[next(raw, 1)] == ']' }
