package schema

import _ "embed" // for OpenAPI

// OpenAPI is the contract as an OpenAPI 3.0 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte
