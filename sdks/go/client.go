// Package gantry is the Go SDK of the Gantry platform API. It needs the standard library only.
package gantry

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Version is the version of this package.
const Version = "0.1.0"

// Client calls the operations of the platform. It may be shared among goroutines.
type Client struct {
	baseURL    string
	apiKey     string
	licenseKey string
	http       *http.Client
	retries    Retries
	Session    *Session
}

// Option changes how a client works.
type Option func(*Client)

// WithAPIKey sends this key of a license, or of a hosting company, with every call.
func WithAPIKey(key string) Option { return func(c *Client) { c.apiKey = key } }

// WithLicenseKey sends this license key, with which the plugin of a game server reports events.
func WithLicenseKey(key string) Option { return func(c *Client) { c.licenseKey = key } }

// WithHTTPClient sends requests with another client than one with a timeout of 60 seconds.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithRetries changes how often requests are repeated.
func WithRetries(retries Retries) Option { return func(c *Client) { c.retries = retries } }

// NewClient makes a client of the platform at baseURL.
func NewClient(baseURL string, options ...Option) *Client {
	c := &Client{
		baseURL: strings.TrimRight(baseURL, "/"),
		http: &http.Client{
			Timeout: 60 * time.Second,
			// A redirect would carry the key to another server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		retries: Retries{Max: 3, FirstWait: 250 * time.Millisecond, MaxWait: 30 * time.Second},
	}
	c.Session = &Session{client: c}
	for _, option := range options {
		option(c)
	}
	return c
}

// Ptr returns a pointer to the value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Nullable is an optional field that may be null: nil leaves the field out.
type Nullable[T any] struct {
	Value  T
	IsNull bool
}

// Null is a field that is null.
func Null[T any]() *Nullable[T] { return &Nullable[T]{IsNull: true} }

// Some is a field with a value.
func Some[T any](value T) *Nullable[T] { return &Nullable[T]{Value: value} }

// MarshalJSON writes null or the value.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.IsNull {
		return []byte("null"), nil
	}
	return json.Marshal(n.Value)
}

// UnmarshalJSON reads null or the value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		n.IsNull = true
		return nil
	}
	return json.Unmarshal(data, &n.Value)
}

// File is a file of a form.
type File struct {
	Name    string
	Content []byte
}

// Form holds the fields of a form: texts and Files.
type Form map[string]any

type call struct {
	operation    string
	method       string
	path         string
	body         any
	contentType  string
	isPublic     bool
	isIdempotent bool
	query        url.Values
	headers      map[string]string
}

func (c *call) setQuery(name string, value any) {
	if c.query == nil {
		c.query = url.Values{}
	}
	// Lists in queries are separated by commas.
	items := []string{}
	each(value, func(item string) { items = append(items, item) })
	if len(items) > 0 {
		c.query.Set(name, strings.Join(items, ","))
	}
}

func (c *call) setHeader(name string, value any) {
	if c.headers == nil {
		c.headers = map[string]string{}
	}
	each(value, func(item string) { c.headers[name] = item })
}

// each calls take with the text of the value, or of each entry of a list; nil is nothing.
func each(value any, take func(string)) {
	reflected := reflect.ValueOf(value)
	switch {
	case !reflected.IsValid():
	case reflected.Kind() == reflect.Pointer:
		if !reflected.IsNil() {
			take(text(reflected.Elem().Interface()))
		}
	case reflected.Kind() == reflect.Slice:
		for index := 0; index < reflected.Len(); index++ {
			take(text(reflected.Index(index).Interface()))
		}
	default:
		take(text(value))
	}
}

func text(value any) string { return fmt.Sprint(value) }

func optional[T any](value *T) any {
	if value == nil {
		return nil
	}
	return value
}

func (c *Client) send(ctx context.Context, call *call, result any) error {
	for _, segment := range strings.Split(call.path, "/")[1:] {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("gantry: %s: a parameter of the path must not be %q", call.operation, segment)
		}
	}
	request, err := c.prepare(call)
	if err != nil {
		return err
	}
	response, err := c.authorized(ctx, request, call.isPublic)
	if err != nil {
		return err
	}
	if response.status >= 300 {
		return errorOf(response)
	}
	if result == nil || len(response.body) == 0 {
		return nil
	}
	if raw, ok := result.(*[]byte); ok {
		*raw = response.body
		return nil
	}
	return json.Unmarshal(response.body, result)
}

func (c *Client) prepare(call *call) (*attempt, error) {
	request := &attempt{method: call.method, url: c.baseURL + call.path, headers: map[string]string{
		"Accept":     "application/json, */*;q=0.1",
		"User-Agent": "gantry-go/" + Version + " (" + ContractVersion + ")",
	}}
	if len(call.query) > 0 {
		request.url += "?" + call.query.Encode()
	}
	for name, value := range call.headers {
		request.headers[name] = value
	}
	if call.isIdempotent && request.headers["Idempotency-Key"] == "" {
		// One key for all attempts of this call.
		key := make([]byte, 16)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		request.headers["Idempotency-Key"] = hex.EncodeToString(key)
	}
	if call.body == nil {
		return request, nil
	}
	switch body := call.body.(type) {
	case []byte:
		request.body = body
		request.headers["Content-Type"] = call.contentType
	case Form:
		content, contentType, err := body.encode()
		if err != nil {
			return nil, err
		}
		request.body = content
		request.headers["Content-Type"] = contentType
	default:
		content, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		request.body = content
		request.headers["Content-Type"] = call.contentType
	}
	return request, nil
}

func (f Form) encode() ([]byte, string, error) {
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	for name, value := range f {
		if file, ok := value.(File); ok {
			part, err := writer.CreateFormFile(name, file.Name)
			if err != nil {
				return nil, "", err
			}
			if _, err := io.Copy(part, bytes.NewReader(file.Content)); err != nil {
				return nil, "", err
			}
			continue
		}
		if err := writer.WriteField(name, text(value)); err != nil {
			return nil, "", err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, "", err
	}
	return buffer.Bytes(), writer.FormDataContentType(), nil
}

func (c *Client) authorized(ctx context.Context, request *attempt, isPublic bool) (*reply, error) {
	if isPublic {
		return c.attempts(ctx, request)
	}
	if c.licenseKey != "" {
		request.headers["X-License-Key"] = c.licenseKey
	}
	if c.apiKey != "" {
		request.headers["Authorization"] = "Bearer " + c.apiKey
		return c.attempts(ctx, request)
	}
	token, err := c.Session.accessToken(ctx)
	if err != nil {
		return nil, err
	}
	if token == "" {
		return c.attempts(ctx, request)
	}
	request.headers["Authorization"] = "Bearer " + token
	response, err := c.attempts(ctx, request)
	if err != nil || response.status != http.StatusUnauthorized {
		return response, err
	}
	renewed, err := c.Session.renew(ctx, token)
	if err != nil {
		return nil, err
	}
	if renewed == "" || renewed == token {
		return response, nil
	}
	request.headers["Authorization"] = "Bearer " + renewed
	return c.attempts(ctx, request)
}
