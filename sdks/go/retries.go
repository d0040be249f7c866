package gantry

import (
	"bytes"
	"context"
	"io"
	"math/rand"
	"net/http"
	"strconv"
	"time"
)

// Retries says how requests are repeated that cannot take effect twice: reads, PUT and DELETE without If-Match, and
// operations that take an Idempotency-Key. Waits double from FirstWait; a Retry-After longer than MaxWait ends them.
type Retries struct {
	Max       int
	FirstWait time.Duration
	MaxWait   time.Duration
}

type attempt struct {
	method  string
	url     string
	headers map[string]string
	body    []byte
}

type reply struct {
	status  int
	headers http.Header
	body    []byte
}

func (a *attempt) isRepeatable() bool {
	if a.headers["Idempotency-Key"] != "" {
		return true
	}
	switch a.method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return a.headers["If-Match"] == ""
	}
	return false
}

func (c *Client) attempts(ctx context.Context, request *attempt) (*reply, error) {
	wait := c.retries.FirstWait
	wasLost := false
	for left := c.retries.Max; ; left-- {
		response, err := c.once(ctx, request)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if left <= 0 || !request.isRepeatable() {
				return nil, &ConnectionError{Cause: err}
			}
			wasLost = true
		} else {
			if wasLost && request.method == http.MethodDelete && response.status == http.StatusNotFound {
				// The deletion was done, and its response was lost.
				return &reply{status: http.StatusNoContent, headers: response.headers}, nil
			}
			if left <= 0 || !response.isPassing() || !request.isRepeatable() {
				return response, nil
			}
		}
		pause := wait + time.Duration(rand.Int63n(int64(wait)+1))
		if response != nil {
			asked := retryAfter(response.headers)
			if asked > c.retries.MaxWait {
				return response, nil
			}
			if asked > pause {
				pause = asked
			}
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

func (c *Client) once(ctx context.Context, request *attempt) (*reply, error) {
	raw, err := http.NewRequestWithContext(ctx, request.method, request.url, bytes.NewReader(request.body))
	if err != nil {
		return nil, err
	}
	for name, value := range request.headers {
		raw.Header.Set(name, value)
	}
	response, err := c.http.Do(raw)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &reply{status: response.StatusCode, headers: response.Header, body: body}, nil
}

func (r *reply) isPassing() bool {
	switch r.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusConflict:
		// The previous attempt, whose response was lost, is still running.
		return IsProblem(errorOf(r), "idempotency_in_flight")
	}
	return false
}

// retryAfter reads a number of seconds or a date.
func retryAfter(headers http.Header) time.Duration {
	value := headers.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil && time.Until(at) > 0 {
		return time.Until(at)
	}
	return 0
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
