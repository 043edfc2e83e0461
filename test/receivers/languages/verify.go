// Verifies deliveries, one JSON object a line, with the Go library of Svix; prints what it says of each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	svix "github.com/svix/svix-webhooks/go"
)

type delivery struct {
	Secret  string
	Headers map[string]string
	Body    string
}

func accepted(of delivery) bool {
	headers := http.Header{}
	for name, value := range of.Headers {
		headers.Set(name, value)
	}
	webhook, err := svix.NewWebhook(of.Secret)
	return err == nil && webhook.Verify([]byte(of.Body), headers) == nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var of delivery
		if err := json.Unmarshal(lines.Bytes(), &of); err != nil {
			panic(err)
		}
		fmt.Printf("{\"svix\":%t}\n", accepted(of))
	}
}
