package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"
)

const requestTimeout = 10 * time.Second

// service is one of the two services with its OpenAPI document.
type service struct {
	name, base, header string
	document           validator.Validator
	mu                 sync.Mutex
	operations         map[string]bool // "GET /wx/home/index" -> whether it was called with success
}

// client uses no proxy and follows no redirects.
var client = &http.Client{
	Timeout:       requestTimeout,
	Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 16},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// open reads the document that the service serves.
func (s *service) open() error {
	if s.base == "" {
		return fmt.Errorf("STOREFRONT_URL and ADMIN_URL must name the services; make e2e takes those of make run")
	}
	ctx, cancel := context.WithTimeout(context.Background(), requestTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/docs/openapi.json", nil)
	if err != nil {
		return fmt.Errorf("address of the %s: %w", s.name, err)
	}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("read the document of the %s: %w", s.name, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("read the document of the %s: status %d, %w", s.name, res.StatusCode, err)
	}
	return s.parse(text)
}

func (s *service) parse(text []byte) error {
	doc, err := libopenapi.NewDocument(text)
	if err != nil {
		return fmt.Errorf("parse the document of the %s: %w", s.name, err)
	}
	model, err := doc.BuildV3Model()
	if err != nil {
		return fmt.Errorf("parse the document of the %s: %w", s.name, err)
	}
	s.operations = map[string]bool{}
	for path, item := range model.Model.Paths.PathItems.FromOldest() {
		for method := range item.GetOperations().FromOldest() {
			s.operations[strings.ToUpper(method)+" "+path] = false
		}
	}
	// Strict: a member that the document does not declare is a fault. The library misses what is declared beside a $ref
	// with other keywords, as for a failure, or by additionalProperties; an address may be anything, and the sandbox
	// parses its query by itself.
	var errs []error
	s.document, errs = validator.NewValidator(doc, config.WithStrictMode(), config.WithStrictIgnorePaths(
		"$.body.errmsg", "$.body.litemall_*", "$.body.data.litemall_*", "$.body.data.allList.*",
		"$.body.data.checkedAddress.*", "$.query.prepay_id"),
		config.WithStrictIgnoredHeadersExtra(strings.ToLower(s.header)))
	if len(errs) > 0 {
		return fmt.Errorf("the document of the %s: %w", s.name, errs[0])
	}
	if ok, faults := s.document.ValidateDocument(); !ok {
		return fmt.Errorf("the document of the %s is not valid: %w", s.name, faults[0])
	}
	return nil
}

// faults returns how an answer violates the document. The document describes a success and a failure; only the one that
// the answer is counts.
func (s *service) faults(req *http.Request, ex *exchange) []string {
	res := &http.Response{StatusCode: ex.status, Header: ex.header, Body: io.NopCloser(bytes.NewReader(ex.got))}
	_, errs := s.document.ValidateHttpResponse(req, res)
	if ex.errno == 0 {
		return describe(errs, "/oneOf/1/")
	}
	return describe(errs, "/oneOf/0/")
}

// requestFaults returns how a request violates the document.
func (s *service) requestFaults(req *http.Request) []string {
	_, errs := s.document.ValidateHttpRequest(req)
	return describe(errs, "/none/")
}

// describe returns the fault and its position, without the quoted part of the document.
func describe(errs []*errors.ValidationError, but string) []string {
	var found []string
	for _, err := range errs {
		before := len(found)
		for _, f := range err.SchemaValidationErrors {
			if !strings.HasPrefix(f.KeywordLocation, but) {
				found = append(found, f.FieldPath+": "+f.Reason)
			}
		}
		if len(found) == before {
			found = append(found, err.Message)
		}
	}
	return found
}

// refusing are the operations that cannot succeed without the app platform, or the signature or a fault of the payment
// platform, or that always refuse: any answer counts for them.
var refusing = []string{
	"POST /admin/order/case/settle", "POST /admin/order/case/repay", "POST /admin/order/case/retry",
	"POST /admin/order/case/dismiss",
	"POST /wx/auth/login_by_weixin", "POST /wx/auth/bindPhone", "GET /wx/msg/config", "POST /wx/msg/config",
	"POST /wx/order/pay-notify", "GET /wx/home/cache", "GET /admin/auth/401", "GET /admin/auth/403",
}

// note records a call and whether it has succeeded.
func (s *service) note(method, path string, succeeded bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for operation := range s.operations {
		prefix, _, template := strings.Cut(operation, "{")
		if operation == method+" "+path || template && strings.HasPrefix(method+" "+path, prefix) {
			s.operations[operation] = s.operations[operation] || succeeded || slices.Contains(refusing, operation)
		}
	}
}

// missed returns the operations that have not been called with success.
func (s *service) missed() []string {
	var names []string
	for operation, done := range s.operations {
		if !done {
			names = append(names, operation)
		}
	}
	return names
}
