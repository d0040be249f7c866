package gantry

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrEventCursorExpired means that the cursor is too old, or from before a restore: read the lists again, and start
// from their cursor.
var ErrEventCursorExpired = errors.New("gantry: the event cursor has expired")

const (
	streamPath = "/api/events/stream"
	// The platform writes at least every 15 seconds.
	maxSilence    = 45 * time.Second
	maxStreamWait = 30 * time.Second
)

// StreamedEvent is one event, with the cursor to continue from after it.
type StreamedEvent struct {
	Type   string
	Cursor string
	Data   json.RawMessage
}

// Events calls take with every event from the cursor on, until the context ends or take returns an error. It
// reconnects by itself, and misses none. An empty cursor begins now.
func (c *Client) Events(ctx context.Context, cursor string, filters url.Values, take func(StreamedEvent) error) error {
	wait := time.Second
	for {
		next, hasWorked, err := c.stream(ctx, cursor, filters, &wait, take)
		cursor = next
		if err != nil {
			return err
		}
		if hasWorked && wait > 2*time.Second {
			wait = 2 * time.Second
		}
		if err := sleep(ctx, wait/2+time.Duration(rand.Int63n(int64(wait/2)+1))); err != nil {
			return err
		}
		if wait *= 2; wait > maxStreamWait {
			wait = maxStreamWait
		}
	}
}

// stream reads one connection to its end. An error ends the whole stream; a lost connection is none.
func (c *Client) stream(
	ctx context.Context, cursor string, filters url.Values, wait *time.Duration, take func(StreamedEvent) error,
) (string, bool, error) {
	connection, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(maxSilence, cancel)
	defer silence.Stop()
	query := url.Values{}
	for name, values := range filters {
		query.Set(name, strings.Join(values, ","))
	}
	address := c.baseURL + streamPath
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(connection, http.MethodGet, address, nil)
	if err != nil {
		return cursor, false, err
	}
	request.Header.Set("Accept", "text/event-stream")
	if cursor != "" {
		request.Header.Set("Last-Event-ID", cursor)
	}
	token := ""
	if c.apiKey != "" {
		request.Header.Set("Authorization", "Bearer "+c.apiKey)
	} else if token, err = c.Session.accessToken(ctx); err != nil {
		return cursor, false, err
	} else if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	// The timeout of calls would cut a stream.
	untimed := *c.http
	untimed.Timeout = 0
	response, err := untimed.Do(request)
	if err != nil {
		return cursor, false, ctx.Err()
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return cursor, false, c.refused(ctx, response, token, wait)
	}
	reader := bufio.NewReader(response.Body)
	event := streamMessage{}
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return cursor, true, ctx.Err()
		}
		silence.Reset(maxSilence)
		if !event.add(strings.TrimRight(line, "\r\n")) {
			continue
		}
		if event.retry > 0 {
			*wait = event.retry
		}
		if event.id != "" {
			cursor = event.id
		}
		if event.name == "reconnect" {
			return cursor, true, nil
		}
		if event.data.Len() > 0 && event.name != "ready" {
			if err := take(StreamedEvent{event.name, cursor, json.RawMessage(event.data.String())}); err != nil {
				return cursor, true, err
			}
		}
		event = streamMessage{}
	}
}

func (c *Client) refused(ctx context.Context, response *http.Response, token string, wait *time.Duration) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return ctx.Err()
	}
	received := &reply{status: response.StatusCode, headers: response.Header, body: body}
	switch {
	case received.status == http.StatusGone:
		return ErrEventCursorExpired
	case received.status == http.StatusUnauthorized && token != "":
		renewed, err := c.Session.renew(ctx, token)
		if err != nil || renewed == "" {
			return errorOf(received)
		}
		return nil
	case received.isPassing():
		if asked := retryAfter(received.headers); asked > *wait {
			*wait = asked
		}
		return nil
	}
	return errorOf(received)
}

type streamMessage struct {
	name  string
	id    string
	retry time.Duration
	data  strings.Builder
}

// add takes one line, and says whether the message is complete.
func (m *streamMessage) add(line string) bool {
	if line == "" {
		return m.data.Len() > 0 || m.id != "" || m.retry > 0 || m.name != ""
	}
	field, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch field {
	case "event":
		m.name = value
	case "id":
		m.id = value
	case "data":
		if m.data.Len() > 0 {
			m.data.WriteByte('\n')
		}
		m.data.WriteString(value)
	case "retry":
		if ms, err := strconv.Atoi(value); err == nil {
			m.retry = time.Duration(ms) * time.Millisecond
		}
	}
	return false
}
