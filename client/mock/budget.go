package mock

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

const estimateLifetime = 24 * time.Hour

// estimateRequest is a request with its defaults filled in; its JSON is what the
// cache knows it by.
type estimateRequest struct {
	URL         string
	Categories  []string
	Seeds       []string
	Market      string
	Language    string
	MaxKeywords int64
}

// estimateRefusal is the estimate's own error envelope.
func estimateRefusal(f *failure) answer {
	code := "INTERNAL_ERROR"
	switch {
	case f.status != http.StatusBadRequest:
	case strings.HasPrefix(f.detail, requiredText):
		code = "MISSING_PARAMETER"
	default:
		code = "INVALID_PARAMETER"
	}
	message := f.detail
	if message == "" {
		message = f.message()
	}
	return estimateAnswer(f.status, struct{}{}, message, code)
}

func estimateAnswer(status int, data any, message, code string) answer {
	return answer{status: status, contentType: jsonType, body: append(encode(struct {
		Data       any    `json:"data"`
		Message    string `json:"message"`
		ErrorCode  string `json:"error_code"`
		StatusCode int    `json:"status_code"`
	}{data, message, code, status}), '\n')}
}

func (s *Service) estimateBudget(c *call) (answer, error) {
	r, err := readEstimate(c.body)
	if err != nil {
		return answer{}, err
	}
	made, cached, err := s.estimateTime(c, r)
	if err != nil {
		return answer{}, err
	}
	data := estimate(r)
	data.Cached, data.CacheTimestamp = cached, made.Format(time.RFC3339)
	return estimateAnswer(http.StatusOK, data, "Success", ""), nil
}

func readEstimate(body []byte) (estimateRequest, error) {
	r := estimateRequest{Market: "us", Language: "en", MaxKeywords: 50}
	f, err := decode(body)
	if err != nil {
		return r, err
	}
	r.URL = f.needText("url")
	r.Categories, r.Seeds = f.texts("categories"), f.texts("seeds")
	setText(&r.Market, f.text("market", false))
	setText(&r.Language, f.text("language", false))
	if n := f.integer("max_keywords", false); n != nil {
		r.MaxKeywords = *n
	}
	if err := f.err(); err != nil {
		return r, err
	}
	switch {
	case domainOf(r.URL) == "":
		err = &failure{http.StatusBadRequest, "url is not the address of a domain"}
	case r.MaxKeywords < 1 || r.MaxKeywords > 1000:
		err = &failure{http.StatusBadRequest, fmt.Sprintf("max_keywords must be 1 to 1000, not %d", r.MaxKeywords)}
	}
	return r, err
}

// domainOf returns the host of an address, which may lack its scheme; "" if it has none.
func domainOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// estimateTime says when the estimate that is answered was made. The cache holds
// only this time, as the rest follows from the request.
func (s *Service) estimateTime(c *call, r estimateRequest) (made time.Time, cached bool, err error) {
	sum := sha256.Sum256(encode(r))
	id := append(key(c.reseller), sum[:]...)
	err = s.store.update(c.ctx, func(tx *bolt.Tx) error {
		b, now := tx.Bucket(bucketEstimates), s.now().UTC()
		if stored := b.Get(id); stored != nil {
			if err := made.UnmarshalText(stored); err != nil {
				return fmt.Errorf("an estimate of the mock database is damaged: %w", err)
			}
			if age := now.Sub(made); 0 <= age && age < estimateLifetime {
				cached = true
				return nil
			}
		}
		made = now
		return b.Put(id, []byte(now.Format(time.RFC3339Nano)))
	})
	return made, cached, err
}
