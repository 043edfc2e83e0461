// Compiles each pattern of the document with Go's expressions, which are RE2.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"regexp"
)

func compile(value any) int {
	count := 0
	switch each := value.(type) {
	case []any:
		for _, item := range each {
			count += compile(item)
		}
	case map[string]any:
		if pattern, isText := each["pattern"].(string); isText {
			regexp.MustCompile(pattern)
			count++
		}
		for _, member := range each {
			count += compile(member)
		}
	}
	return count
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(bytes, &document); err != nil {
		log.Fatal(err)
	}
	count := compile(document)
	if count == 0 {
		log.Fatal("the document has no pattern")
	}
	fmt.Println(count, "patterns")
}
