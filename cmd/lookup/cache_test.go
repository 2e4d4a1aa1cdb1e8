package lookup

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"reseller/client/names"
)

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reseller")
	c, list, stored := cache{path: filepath.Join(dir, "names-one.json")}, names.List{{ID: 1, Name: "Harbour Bikes"}}, time.Now()
	if got := c.load(stored, cacheLifetime).List; got != nil {
		t.Errorf("before it was stored: got %v, want none", got)
	}
	if err := c.store(list, stored); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		age  time.Duration
		want names.List
	}{
		{"new", 0, list}, {"young", cacheLifetime - time.Second, list}, {"old", cacheLifetime, nil}, {"clock was set back", -time.Second, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := c.load(stored.Add(tt.age), cacheLifetime).List; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	t.Run("old files are removed", func(t *testing.T) {
		foreign := filepath.Join(dir, "foreign.json")
		if err := os.WriteFile(foreign, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		later := cache{path: filepath.Join(dir, "names-other.json")}
		if err := later.store(list, stored.Add(2*rememberedFor)); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(c.path)
		_, foreignErr := os.Stat(foreign)
		if !os.IsNotExist(err) || foreignErr != nil {
			t.Errorf("got errors %v of the old file and %v of one of somebody else, want that it does not exist, and none", err, foreignErr)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		if err := os.WriteFile(c.path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.load(stored, cacheLifetime).List; got != nil {
			t.Errorf("got %v, want none", got)
		}
	})
}
