package mock

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"reseller/client/mock/api"
)

// tokenSecret signs the tokens of all mocks, since services that share a database must
// accept each other's tokens. It is public and protects nothing.
const tokenSecret = "mock-secret-that-protects-nothing"

const tokenLifetime = 60 * time.Minute

func issueToken(reseller int64, now time.Time) (token string, expires time.Time, err error) {
	if !slices.Contains(resellers(), reseller) {
		return "", time.Time{}, fmt.Errorf("reseller %d is not in the mock service, which has 1 and 2", reseller)
	}
	expires = now.Add(tokenLifetime)
	token, err = jwt.NewWithClaims(jwt.SigningMethodHS512, jwt.MapClaims{
		"role":  "reseller",
		"sub":   reseller,
		"scope": "api",
		"iss":   "reseller-mock",
		"jti":   rand.Text(),
		"exp":   strconv.FormatInt(expires.Unix(), 10), // strings, as the live service sends them
		"iat":   strconv.FormatInt(now.Unix(), 10),
	}).SignedString([]byte(tokenSecret))
	return token, expires, err
}

func verifyToken(authorization string, now time.Time) (int64, error) {
	scheme, token, _ := strings.Cut(authorization, " ")
	var claims struct {
		jwt.RegisteredClaims
		Reseller json.Number `json:"sub"`
	}
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"HS512"}), jwt.WithExpirationRequired(), jwt.WithTimeFunc(func() time.Time { return now }))
	_, err := parser.ParseWithClaims(strings.TrimSpace(token), &claims, func(*jwt.Token) (any, error) { return []byte(tokenSecret), nil })
	reseller, _ := claims.Reseller.Int64()
	if err != nil || !strings.EqualFold(scheme, "Bearer") || !slices.Contains(resellers(), reseller) {
		return 0, api.Unauthorized()
	}
	return reseller, nil
}

// login returns a token for a user name and a password. The time when it expires follows at the end of the envelope.
func login(c *call) (api.Response, error) {
	b := c.body
	username, password := b.RequiredText("username"), b.RequiredText("password")
	if err := b.Err(); err != nil {
		return api.Response{}, err
	}
	users := map[string]int64{"reseller1": 1, "reseller2": 2}
	if users[username] == 0 || password != "mock" {
		return api.Response{}, api.Unauthorized()
	}
	token, expires, err := issueToken(users[username], c.now())
	if err != nil {
		return api.Response{}, err
	}
	response := api.Success(token)
	end := []byte(`,"token_exp":` + strconv.FormatInt(expires.Unix(), 10) + "}\n")
	response.Body = append(response.Body[:len(response.Body)-len("}\n")], end...)
	return response, nil
}

// refuseLogin returns the response to a login that is refused. Its data is an empty
// string, whereas that of other refusals is an empty object.
func refuseLogin(e *api.Error) api.Response { return api.RefusalWithData(e, `""`) }
