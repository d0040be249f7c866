package gantry

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

const renewAhead = 30 * time.Second

// Tokens of a signed-in user.
type Tokens struct {
	AccessToken  string
	RefreshToken string
	ExpiresAt    time.Time
}

type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int64  `json:"expires_in"`
}

// Session renews the tokens of a signed-in user once for all calls that find them expired. OnChange receives new
// tokens, so that a program can store them; nil means that the session has ended.
type Session struct {
	OnChange func(*Tokens)
	client   *Client
	mutex    sync.Mutex
	tokens   *Tokens
}

// Start uses these tokens from now on.
func (s *Session) Start(accessToken, refreshToken string, expiresIn time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.store(&Tokens{accessToken, refreshToken, time.Now().Add(expiresIn)})
}

// End forgets the tokens.
func (s *Session) End() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.store(nil)
}

func (s *Session) store(tokens *Tokens) {
	s.tokens = tokens
	if s.OnChange != nil {
		s.OnChange(tokens)
	}
}

func (s *Session) accessToken(ctx context.Context) (string, error) {
	s.mutex.Lock()
	tokens := s.tokens
	s.mutex.Unlock()
	if tokens == nil {
		return "", nil
	}
	if time.Until(tokens.ExpiresAt) > renewAhead {
		return tokens.AccessToken, nil
	}
	return s.renew(ctx, tokens.AccessToken)
}

// renew returns a newer token than the refused one, or "" when the session has ended.
func (s *Session) renew(ctx context.Context, refused string) (string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.tokens == nil {
		return "", nil
	}
	if s.tokens.AccessToken != refused {
		return s.tokens.AccessToken, nil
	}
	body, err := json.Marshal(map[string]string{"refresh_token": s.tokens.RefreshToken})
	if err != nil {
		return "", err
	}
	response, err := s.client.once(ctx, &attempt{
		method:  http.MethodPost,
		url:     s.client.baseURL + "/auth/refresh",
		headers: map[string]string{"Content-Type": "application/json", "Accept": "application/json"},
		body:    body,
	})
	if err != nil {
		return "", &ConnectionError{Cause: err}
	}
	if response.status == http.StatusUnauthorized {
		s.store(nil)
		return "", nil
	}
	if response.status >= 300 {
		return "", errorOf(response)
	}
	var renewed tokenResponse
	if err := json.Unmarshal(response.body, &renewed); err != nil {
		return "", err
	}
	expiresAt := time.Now().Add(time.Duration(renewed.ExpiresIn) * time.Second)
	s.store(&Tokens{renewed.AccessToken, renewed.RefreshToken, expiresAt})
	return renewed.AccessToken, nil
}
