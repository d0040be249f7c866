package gantry

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrInvalidSignature means that a request is not from the platform, or is a recording.
var ErrInvalidSignature = errors.New("gantry: the webhook's signature is not valid")

const tolerance = 5 * time.Minute

// VerifyWebhook checks that a webhook came from the platform. The body is the raw body, as it arrived.
func VerifyWebhook(headers http.Header, body []byte, secret string, now time.Time) error {
	if strings.TrimRight(strings.TrimPrefix(secret, "whsec_"), "=") == "" {
		return ErrInvalidSignature
	}
	isStandard := headers.Get("Webhook-Signature") != ""
	sent := headers.Get("X-Service-Timestamp")
	if isStandard {
		sent = headers.Get("Webhook-Timestamp")
	}
	seconds, err := strconv.ParseUint(sent, 10, 62)
	if err != nil {
		return ErrInvalidSignature
	}
	age := now.Sub(time.Unix(int64(seconds), 0))
	if age > tolerance || age < -tolerance {
		return ErrInvalidSignature
	}
	if isStandard && isStandardSignature(headers, body, secret) || !isStandard && isServiceSignature(headers, body, secret) {
		return nil
	}
	return ErrInvalidSignature
}

// isStandardSignature checks `webhook-signature: v1,BASE64 v1,BASE64` of Standard Webhooks.
func isStandardSignature(headers http.Header, body []byte, secret string) bool {
	text := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimPrefix(secret, "whsec_"))
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return false
	}
	signed := headers.Get("Webhook-Id") + "." + headers.Get("Webhook-Timestamp") + "."
	expected := base64.StdEncoding.EncodeToString(sum(key, signed, body))
	isValid := false
	for _, part := range strings.Fields(headers.Get("Webhook-Signature")) {
		given := strings.TrimPrefix(part, "v1,")
		isValid = given != part && hmac.Equal([]byte(given), []byte(expected)) || isValid
	}
	return isValid
}

// isServiceSignature checks `X-Service-Signature: v1=HEX,v1=HEX`.
func isServiceSignature(headers http.Header, body []byte, secret string) bool {
	signed := headers.Get("X-Service-Delivery") + "." + headers.Get("X-Service-Timestamp") + "."
	expected := "v1=" + hex.EncodeToString(sum([]byte(secret), signed, body))
	isValid := false
	for _, part := range strings.Split(headers.Get("X-Service-Signature"), ",") {
		isValid = hmac.Equal([]byte(strings.TrimSpace(part)), []byte(expected)) || isValid
	}
	return isValid
}

func sum(key []byte, head string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(head))
	mac.Write(body)
	return mac.Sum(nil)
}
