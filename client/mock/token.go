package mock

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// secret signs the tokens of every mock: it guards nothing, and all that share a
// database must accept each other's tokens.
const secret = "mock-secret-that-protects-nothing"

const tokenLifetime = 60 * time.Minute

// Token returns a fresh token of reseller 1 or 2.
func (s *Service) Token(reseller int) (string, error) {
	token, _, err := issue(int64(reseller), s.now())
	return token, err
}

func issue(reseller int64, now time.Time) (token string, expires time.Time, err error) {
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
	}).SignedString([]byte(secret))
	return token, expires, err
}

// verify returns the reseller that an Authorization header speaks for.
func verify(authorization string, now time.Time) (int64, error) {
	refused := &failure{status: http.StatusUnauthorized}
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return 0, refused
	}
	claims := jwt.MapClaims{}
	// The library refuses claims whose times are strings, so they are checked here.
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS512"}), jwt.WithJSONNumber(), jwt.WithoutClaimsValidation())
	_, err := parser.ParseWithClaims(strings.TrimSpace(token), claims, func(*jwt.Token) (any, error) { return []byte(secret), nil })
	if err != nil {
		return 0, refused
	}
	expires, ok := claimInt(claims["exp"])
	if !ok || now.Unix() >= expires {
		return 0, refused
	}
	reseller, ok := claimInt(claims["sub"])
	if !ok || !slices.Contains(resellers(), reseller) {
		return 0, refused
	}
	return reseller, nil
}

// claimInt accepts a number and a string of digits.
func claimInt(claim any) (int64, bool) {
	text, ok := claim.(string)
	if number, isNumber := claim.(json.Number); isNumber {
		text, ok = number.String(), true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, ok && err == nil
}

// login trades a user name and password for a token.
func (s *Service) login(c *call) (answer, error) {
	f, err := decode(c.body)
	if err != nil {
		return answer{}, err
	}
	username, password := f.needText("username"), f.needText("password")
	if err := f.err(); err != nil {
		return answer{}, err
	}
	users := map[string]int64{"reseller1": 1, "reseller2": 2}
	if users[username] == 0 || password != "mock" {
		return answer{}, &failure{status: http.StatusUnauthorized}
	}
	token, expires, err := issue(users[username], s.now())
	if err != nil {
		return answer{}, err
	}
	a := successOf(encode(token), 1)
	end := []byte(`,"token_exp":` + strconv.FormatInt(expires.Unix(), 10) + "}\n")
	a.body = append(a.body[:len(a.body)-len("}\n")], end...)
	return a, nil
}

// loginRefusal differs from the common one: its data is an empty string.
func loginRefusal(f *failure) answer { return refusalWith(f, `""`) }
