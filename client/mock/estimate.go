package mock

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/http"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/synthetic"
)

// estimateTable is the cache of estimates. Its keys are the reseller and a hash of the request. A record is the time at which the
// estimate was made.
var estimateTable = database.Table[time.Time]{Name: "estimate times", FirstID: 1}

const estimateLifetime = 24 * time.Hour

func refuseEstimate(e *api.Error) api.Response {
	code := "INTERNAL_ERROR"
	switch {
	case e.Status != http.StatusBadRequest:
	case e.Missing:
		code = "MISSING_PARAMETER"
	default:
		code = "INVALID_PARAMETER"
	}
	return estimateResponse(e.Status, struct{}{}, cmp.Or(e.Detail, e.Message()), code)
}

func estimateResponse(status int, data any, message, code string) api.Response {
	body := api.Encode(api.Object{"data", data, "message", message, "error_code", code, "status_code", status})
	return api.Response{Status: status, ContentType: api.TypeJSON, Body: append(body, '\n')}
}

func estimateBudget(c *call) (api.Response, error) {
	r, err := readEstimateRequest(c.body)
	if err != nil {
		return api.Response{}, err
	}
	made, cached, err := estimateTime(c, r)
	if err != nil {
		return api.Response{}, err
	}
	return estimateResponse(http.StatusOK, synthetic.NewEstimate(r, made, cached), "Success", ""), nil
}

// readEstimateRequest reads the body of a request. Fields that it lacks get their defaults.
func readEstimateRequest(b *api.Body) (synthetic.EstimateRequest, error) {
	r := synthetic.EstimateRequest{Market: "us", Language: "en", MaxKeywords: 50}
	r.URL = b.RequiredText("url")
	r.Categories, r.Seeds = b.Texts("categories"), b.Texts("seeds")
	b.SetText(&r.Market, "market", false)
	b.SetText(&r.Language, "language", false)
	if n := b.Integer("max_keywords"); n != nil {
		r.MaxKeywords = *n
	}
	if err := b.Err(); err != nil {
		return r, err
	}
	switch {
	case synthetic.Domain(r.URL) == "":
		return r, api.BadRequest("url is not the address of a domain")
	case r.MaxKeywords < 1 || r.MaxKeywords > 1000:
		return r, api.BadRequest(fmt.Sprintf("max_keywords must be 1 to 1000, not %d", r.MaxKeywords))
	}
	return r, nil
}

// estimateTime returns the time at which the estimate of a request was made, and whether the estimate was in the cache. An
// estimate that is not in the cache, or older than estimateLifetime, is made now. The cache holds only this time, since the rest
// of an estimate depends on nothing but the request.
func estimateTime(c *call, r synthetic.EstimateRequest) (made time.Time, cached bool, err error) {
	sum := sha256.Sum256(api.Encode(r))
	key := []int64{c.reseller, int64(binary.BigEndian.Uint64(sum[:]))}
	err = c.update(func(tx *database.Tx) error {
		now := c.now().UTC()
		found, err := estimateTable.Get(tx, &made, key...)
		if age := now.Sub(made); err != nil || found && 0 <= age && age < estimateLifetime {
			cached = true
			return err
		}
		made = now
		return estimateTable.Put(tx, now, key...)
	})
	return made, cached, err
}
