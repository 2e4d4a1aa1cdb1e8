package cli

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
)

// TestCAFile calls a server with a certificate that the system does not trust.
func TestCAFile(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[],"error":false}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certificate := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	good := write("good.pem", "# the proxy's\n"+certificate)
	key := write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("key")})))
	for _, tt := range []struct {
		name, flag, variable, want string
		code                       int
	}{
		{name: "neither", want: "certificate", code: ExitFailed},
		{name: "flag", flag: good},
		{name: "variable", variable: good},
		{name: "flag before variable", flag: good, variable: key},
		{name: "no certificates", flag: key, want: "--ca-file: " + key + " contains no certificates", code: ExitUsage},
		{name: "no certificates by variable", variable: key, want: "RESELLER_CA_FILE: " + key + " contains no certificates", code: ExitUsage},
		{name: "missing", flag: dir + "/none.pem", want: "none.pem can't be read: no such file", code: ExitUsage},
		{name: "folder", variable: dir, want: "can't be read: is a directory", code: ExitUsage},
		{name: "too large", flag: write("large.pem", strings.Repeat("x", maxCAFile+1)), want: "is larger than 16 MB", code: ExitUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			environment := map[string]string{"RESELLER_BASE_URL": server.URL, "RESELLER_TOKEN": "t", "RESELLER_CA_FILE": tt.variable, "RESELLER_RETRIES": "0"}
			f := &Session{Streams: Streams{Err: &strings.Builder{}, Env: func(name string) (string, bool) {
				value, ok := environment[name]
				return value, ok
			}}}
			defer f.Close()
			root := &cobra.Command{Use: "reseller"}
			f.Flags.AddTo(root)
			if tt.flag != "" {
				if err := root.ParseFlags([]string{"--ca-file", tt.flag}); err != nil {
					t.Fatal(err)
				}
			}
			c, err := f.Client()
			if err == nil {
				_, err = c.Do(t.Context(), client.Call{Op: &schema.OpCampaignsList})
			}
			if code := ExitCode(err); code != tt.code || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got exit code %d and error %v, want %d and %q", code, err, tt.code, tt.want)
			}
		})
	}
}
