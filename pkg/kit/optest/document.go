package optest

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
)

// document is the API document of a service, against which every answer is checked.
type document struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	answers  map[string]any                // paths -> methods -> what they answer
	schemas  map[string]*jsonschema.Schema // by their pointers in the document
}

// documents caches the documents of operations: generating and parsing one takes longer than most tests.
var documents sync.Map // shared by the tests of a package, which are one process

// documentOf returns the document of the operations.
func documentOf(specs []op.Spec) (*document, error) {
	var key strings.Builder
	for _, s := range specs {
		fmt.Fprintf(&key, "%s %v %v\n", s.Key(), s.Access, s.Resp) // a deployment may open an operation to guests
	}
	if d, ok := documents.Load(key.String()); ok {
		if known, ok := d.(*document); ok {
			return known, nil
		}
	}
	d, err := readDocument(specs)
	if err != nil {
		return nil, err
	}
	documents.Store(key.String(), d)
	return d, nil
}

func readDocument(specs []op.Spec) (*document, error) {
	var b bytes.Buffer
	if err := openapi.Write(&b, openapi.Options{Title: "", Version: "1", TokenHeader: "X-Token"}, specs); err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d := &document{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	if err := d.compiler.AddResource("document.json", whole); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	top, _ := whole.(map[string]any)
	d.answers, _ = top["paths"].(map[string]any)
	return d, nil
}

// check reports how an answer violates the document, nil if it does not.
func (d *document) check(s *op.Spec, status int, contentType string, body []byte) error {
	method := strings.ToLower(s.Method)
	path, _ := d.answers[s.Path].(map[string]any)
	operation, _ := path[method].(map[string]any)
	responses, _ := operation["responses"].(map[string]any)
	if _, known := responses[strconv.Itoa(status)]; !known && (!s.IsRaw() || contentType != envelope.ContentType) {
		return fmt.Errorf("the status %d is not in the document", status)
	}
	if contentType != envelope.ContentType || s.IsRaw() || status == http.StatusNotModified {
		return nil
	}
	schema, err := d.schema(fmt.Sprintf("#/paths/%s/%s/responses/%d/content/%s/schema",
		pointer(s.Path), method, status, pointer(envelope.ContentType)))
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return schema.Validate(v)
}

// schema compiles a schema once.
func (d *document) schema(place string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[place]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile("document.json" + place)
	if err != nil {
		return nil, fmt.Errorf("read the schema at %s: %w", place, err)
	}
	d.schemas[place] = s
	return s, nil
}

// pointer writes a name as a part of a JSON pointer in an address.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}
