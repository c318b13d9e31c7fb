// Package openapi generates documents from the declarations of operations: the OpenAPI 3.1 document of a service, and
// the pages on error codes and permissions. The output depends on the declarations only, so the files can be compared.
//
// The document states strict types. The leniency towards older clients is described once, in the document's
// description.
package openapi

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Options are what the declarations do not contain.
type Options struct {
	Title, Version string
	// TokenHeader is the header of the token, such as X-Shop-Token.
	TokenHeader string
	// Tags describe the areas of the paths, in the order of the document; without them it names the areas alone.
	Tags []Tag
	// Rows are the rules of the service's lists.
	Rows wire.Rules
	// Label returns the label that people know for a member, nil for none; it may be nil.
	Label func(member string) *wording.Field
	// Choices returns the values of a table of the tag show with their names; nil is that of the texts.
	Choices func(table string) []wording.Choice
	// About returns what else the service says of an operation, as members x-; it may be nil.
	About func(s *op.Spec) map[string]any
}

const description = `Every answer is an envelope: errno, errmsg and, on success with something to tell, data.
The HTTP status is 200 for every answer of a known operation, also for failures; 404 is an unknown path, 405 a
wrong method, 413 a body that is too large, 503 with the header Retry-After that the service is busy: nothing was
done, and the request may be repeated.

The types are those that a client should send. The service also reads: a number as text ("5"), a whole number
with a fraction of zeros (5.0), a boolean as 0 or 1 or as text, a number where text is declared. null in a body
and an empty value in a query count as absent; so does blank text where a number or a boolean is declared, and
undefined, null and NaN for an optional whole number or boolean of a query. A list in a query is k=1&k=2, k=1,2
or k[]=1&k[]=2. Unknown members are ignored. A missing member is 401, one that cannot be read as declared 402; the
header ` + op.FieldHeader + ` of such an answer names the member. What was asked for too often has the header
` + envelope.ReasonHeader + `: rate-limit, which a mistake has not, and Retry-After.`

// object is a JSON object, encoded with sorted members.
type object = map[string]any

// Write writes the OpenAPI 3.1 document of the operations.
func Write(w io.Writer, o Options, specs []op.Spec) error {
	d := &document{Options: o, schemas: object{}, names: map[string]string{}}
	paths := object{}
	for i := range specs {
		s := &specs[i]
		path, ok := paths[s.Path].(object)
		if !ok {
			path = object{}
			paths[s.Path] = path
		}
		path[strings.ToLower(s.Method)] = d.operation(s)
	}
	tags, err := areas(o.Tags, specs)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	whole := object{
		"openapi": "3.1.0",
		"info":    object{"title": o.Title, "version": o.Version, "description": description},
		"servers": []object{{"url": "/", "description": "Where the service is that shows this document."}},
		"paths":   paths,
		"components": object{
			"schemas": d.schemas,
			"securitySchemes": object{
				"token": object{"type": "apiKey", "in": "header", "name": o.TokenHeader},
			},
		},
	}
	if tags != nil {
		whole["tags"] = tags
	}
	if err := e.Encode(whole); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}

// document is the part of the document that operations share.
type document struct {
	Options

	schemas object
	names   map[string]string // name of a schema -> the Go type that has it
}

func (d *document) operation(s *op.Spec) object {
	o := object{
		"operationId": operationID(s), "summary": s.Title, "tags": []string{tag(s.Path)}, "x-access": s.Access.String(),
		"security": security(s.Access), "responses": d.responses(s),
	}
	if p := s.Access.Permission.Value; p != "" {
		o["x-permission"] = p
	}
	if d.About != nil {
		maps.Copy(o, d.About(s))
	}
	if text := codes(s); text != "" {
		o["description"] = text
	}
	parameters := pathParameters(s.Path)
	if s.IdempotencyScope != "" {
		parameters = append(parameters, object{
			"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "maxLength": 96},
			"description": "The same key with the same body gives the first answer; with another body 402, and 504 while " +
				"the first request is under way. A failure leaves no key, so it may be tried again under the same one.",
		})
	}
	switch fields := d.fields(s); {
	case s.IsRaw() && len(fields) == 0:
	case s.FilePart() != "":
		o["requestBody"] = object{
			"required": true, "content": object{"multipart/form-data": object{"schema": form(s.FilePart())}},
		}
	case s.Method == http.MethodGet:
		for _, f := range fields {
			parameters = append(parameters, d.parameter(f))
		}
	case s.Free():
		o["requestBody"] = object{
			"required": true, "content": object{"application/json": object{"schema": anyScalars()}},
		}
	case len(fields) > 0:
		o["requestBody"] = object{
			"required": true, "content": object{"application/json": object{"schema": d.body(fields)}},
		}
	}
	if len(parameters) > 0 {
		o["parameters"] = parameters
	}
	return o
}

// form is the schema of a form with one file.
func form(part string) object {
	return object{
		"type": "object", "required": []string{part},
		"properties": object{part: object{"type": "string", "format": "binary"}},
	}
}

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

// operationID is the method and the words of the path: getWxGoodsList.
func operationID(s *op.Spec) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(s.Method))
	for _, part := range word.FindAllString(s.Path, -1) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// tag is the second part of a path: the area.
func tag(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[min(1, len(parts)-1)]
}

func security(a op.Access) []object {
	token := object{"token": []string{}}
	switch {
	case a.NeedsToken():
		return []object{token}
	case a == op.Optional:
		return []object{{}, token}
	default:
		return []object{}
	}
}

// codes is a table of the errors of an operation.
func codes(s *op.Spec) string {
	if s.IsRaw() {
		return ""
	}
	var b strings.Builder
	b.WriteString("| errno | name | meaning |\n|---|---|---|\n")
	for _, c := range s.Codes() {
		if c != errno.OK {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", c.Num, c.Name, c.Text(wording.English))
		}
	}
	return b.String()
}

func (d *document) responses(s *op.Spec) object {
	if s.IsRaw() {
		return rawResponses(s)
	}
	properties := object{
		"errno": object{"const": 0}, "errmsg": object{"type": "string"},
	}
	required := []string{"errno", "errmsg"}
	if data := d.schema(s.Resp); data != nil {
		properties["data"] = data
		if !s.Resp.Implements(mayBeNone) {
			required = append(required, "data")
		}
	}
	answers := object{"200": object{
		"description": "Success or failure.",
		"content": object{envelope.ContentType: object{"schema": object{"oneOf": []object{
			{"type": "object", "required": required, "properties": properties},
			failure(s),
		}}}},
	}}
	if s.Method == http.MethodPost {
		answers["413"] = tooLarge()
	}
	if s.Shared() {
		answers["304"] = object{"description": "What the caller has is still right; to guests who send If-None-Match."}
	}
	return answers
}

// failure is the schema of a failure with the operation's numbers. It stands in each operation: generators of clients
// take nothing that stands beside a reference, and tell failures from successes by these numbers.
func failure(s *op.Spec) object {
	var numbers []int
	for _, c := range s.Codes() {
		if c != errno.OK {
			numbers = append(numbers, c.Num)
		}
	}
	slices.Sort(numbers)
	return failureBy(object{"enum": slices.Compact(numbers)})
}

func failureBy(number object) object {
	return object{
		"type": "object", "required": []string{"errno", "errmsg"}, "properties": object{
			"errno":  number,
			"errmsg": object{"type": "string", "minLength": 1, "description": "What is wrong, for people."},
		},
	}
}

// tooLarge is the answer to a body above the limit.
func tooLarge() object {
	return object{
		"description": "The body is too large.",
		"content":     object{envelope.ContentType: object{"schema": failureBy(object{"const": errno.Invalid.Num})}},
	}
}

// rawResponses are the statuses of a Raw. Errors before and in its handler are answered with the envelope.
func rawResponses(s *op.Spec) object {
	answers := object{}
	for status, text := range s.Statuses() {
		a := object{"description": text}
		if status == http.StatusOK || status == http.StatusPartialContent {
			a["content"] = object{"*/*": object{}}
		}
		answers[strconv.Itoa(status)] = a
	}
	if _, own := answers["413"]; !own && s.Method == http.MethodPost {
		answers["413"] = tooLarge()
	}
	return answers
}
