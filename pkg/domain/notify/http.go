package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

// maxAnswer bounds the bytes read of a service's answer.
const maxAnswer = 64 << 10

// newHTTP returns a client for services that send messages. It follows no redirect, since its content is for one
// address only.
func newHTTP() *http.Client {
	return &http.Client{
		Timeout:       sendTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// address parses the address of a service. It must use https unless it is on this machine.
func address(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("is no address such as https://host/path")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())) {
		return nil, errors.New("must begin with https://")
	}
	return u, nil
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ask sends a request and returns the status and the beginning of the answer.
func ask(client *http.Client, r *http.Request) (status int, body []byte, err error) {
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, discreet(err)
	}
	defer func() { _ = answer.Body.Close() }() // everything needed has been read
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return 0, nil, fmt.Errorf("read the answer of the service: %w", discreet(err))
	}
	return answer.StatusCode, body, nil
}

// discreet removes the address, which may contain a number and a code, from an error of a call.
func discreet(err error) error {
	if end := endOf(err); end != nil {
		return fmt.Errorf("the service did not answer in time: %w", end)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if u, ok := errors.AsType[net.Error](err); ok && u.Timeout() {
		return fmt.Errorf("the service did not answer in time: %w", context.DeadlineExceeded)
	}
	return err
}

// endOf returns the context's error if that caused err, otherwise nil.
func endOf(err error) error {
	for _, ended := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, ended) {
			return ended
		}
	}
	return nil
}
