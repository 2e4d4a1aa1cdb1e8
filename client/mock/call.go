package mock

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

type handler func(*call) (api.Response, error)

// call has all that the handler of a route needs: a request whose token was verified, and the database and the clock of the
// service.
type call struct {
	ctx      context.Context
	db       *database.File
	now      func() time.Time
	reseller int64
	ids      map[string]int64     // of the path
	dates    map[string]time.Time // of the path
	query    url.Values
	body     *api.Body
}

func (c *call) view(do func(*database.Tx) error) error { return c.db.View(c.ctx, do) }

// update runs do in a write transaction, unless the fields of the request that were read so far have errors. The
// transaction is rolled back if do returns an error.
func (c *call) update(do func(*database.Tx) error) error {
	if err := c.body.Err(); err != nil {
		return err
	}
	return c.db.Update(c.ctx, do)
}

// readPath reads the parameters of the path: the ids and the dates.
func (c *call) readPath(vars map[string]string) (err error) {
	c.ids, c.dates = map[string]int64{}, map[string]time.Time{}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if strings.HasPrefix(name, "date_") {
			if c.dates[name], err = time.Parse(time.DateOnly, vars[name]); err != nil {
				return api.BadRequest(name + " must be a date such as 2026-01-31")
			}
		} else if c.ids[name], err = parseID(name, vars[name]); err != nil {
			return err
		}
	}
	return nil
}

func parseID(name, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, api.BadRequest(name + " must be an integer")
	}
	return n, nil
}

func respond[T any](data T, err error) (api.Response, error) {
	if err != nil {
		return api.Response{}, err
	}
	return api.Success(data), nil
}

// listResponse returns a response with the JSON of the records whose keys begin with prefix.
func listResponse[T any](tx *database.Tx, records database.Table[T], prefix ...int64) api.Response {
	return api.SuccessJSONList(func(visit func([]byte)) { records.Walk(tx, visit, prefix...) })
}

func ownedByAnother[T any](c *call, tx *database.Tx, records database.Table[T], id int64) bool {
	return slices.ContainsFunc(resellers(), func(reseller int64) bool { return reseller != c.reseller && records.Has(tx, reseller, id) })
}

func resellers() []int64 { return []int64{1, 2} }

// readOne returns the record whose id is a parameter of the path. It refuses the read with 404 if the reseller has no such record.
func readOne[T any](c *call, records database.Table[T], kind, param string) (record T, err error) {
	id := c.ids[param]
	err = c.view(func(tx *database.Tx) error {
		found, err := records.Get(tx, &record, c.reseller, id)
		if err == nil && !found {
			return api.NotFound(fmt.Sprintf("%s %d", kind, id))
		}
		return err
	})
	return record, err
}

// own returns the record that a write changes. If there is no such record, it refuses the write with 404; if the record belongs
// to another reseller, with 422.
func own[T any](c *call, tx *database.Tx, records database.Table[T], kind string, id int64) (record T, err error) {
	found, err := records.Get(tx, &record, c.reseller, id)
	switch what := fmt.Sprintf("%s %d", kind, id); {
	case found || err != nil:
		return record, err
	case ownedByAnother(c, tx, records, id):
		return record, api.Unprocessable(what + " belongs to another reseller")
	default:
		return record, api.NotFound(what)
	}
}
