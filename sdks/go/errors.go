package gantry

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ProblemError is a refusal of the platform. Decide on Code; Detail is for people.
type ProblemError struct {
	Problem
	Headers http.Header `json:"-"`
}

func (e *ProblemError) Error() string { return fmt.Sprintf("%v: %s", e.Code, e.Detail) }

// HTTPError is a response that is neither a success nor a problem, for example of a proxy.
type HTTPError struct {
	StatusCode int
	Headers    http.Header
	Body       []byte
}

func (e *HTTPError) Error() string { return fmt.Sprintf("response with status %d", e.StatusCode) }

// ConnectionError means that no response arrived, after all retries.
type ConnectionError struct{ Cause error }

func (e *ConnectionError) Error() string {
	return "the platform could not be reached: " + e.Cause.Error()
}

// Unwrap returns the network's error.
func (e *ConnectionError) Unwrap() error { return e.Cause }

// IsProblem says whether the error is a problem with this code.
func IsProblem(err error, code string) bool {
	var problem *ProblemError
	return errors.As(err, &problem) && string(problem.Code) == code
}

func errorOf(response *reply) error {
	if strings.HasPrefix(response.headers.Get("Content-Type"), "application/problem+json") {
		problem := &ProblemError{Headers: response.headers}
		// A response that was cut on its way is none.
		if json.Unmarshal(response.body, &problem.Problem) == nil {
			return problem
		}
	}
	return &HTTPError{StatusCode: response.status, Headers: response.headers, Body: response.body}
}
