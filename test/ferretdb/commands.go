package main

import (
	"bytes"
	"encoding/binary"
	"net"

	"github.com/FerretDB/wire"
	"github.com/FerretDB/wire/wirebson"
)

// FerretDB holds a connection to SQLite for each document that an update command finds, until the command ends, and it
// has 100 of them.
const updatesAtOnce = 50

// What SQLite says of an id that is there already. FerretDB has MongoDB's code for it only in inserts.
var notUnique = []byte("UNIQUE constraint failed")

const duplicateKey = int32(11000)

// Runs a command as FerretDB can, and answers as MongoDB does.
func run(server net.Conn, command string, message []byte) ([]byte, error) {
	var answer []byte
	var err error
	switch command {
	case "update":
		answer, err = update(server, message)
	case "createIndexes":
		if message, err = withoutRefusedOptions(message); err == nil {
			answer, err = exchange(server, message)
		}
	default:
		answer, err = exchange(server, message)
	}
	if err == nil && writes[command] && bytes.Contains(answer, notUnique) {
		return withDuplicateKey(answer)
	}
	return answer, err
}

func withDuplicateKey(message []byte) ([]byte, error) {
	refusal, err := bodyOf(message)
	if err != nil {
		return nil, err
	}
	if err = refusal.Replace("code", duplicateKey); err != nil {
		return nil, err
	}
	return withBody(message, refusal)
}

// FerretDB refuses this option: its index deletes nothing.
func withoutRefusedOptions(message []byte) ([]byte, error) {
	command, err := bodyOf(message)
	if err != nil {
		return nil, err
	}
	indexes, err := arrayIn(command, "indexes")
	if err != nil {
		return nil, err
	}
	for i := range indexes.Len() {
		index, err := indexes.Get(i).(wirebson.AnyDocument).Decode()
		if err != nil {
			return nil, err
		}
		index.Remove("expireAfterSeconds")
		if err = indexes.Replace(i, index); err != nil {
			return nil, err
		}
	}
	if err = command.Replace("indexes", indexes); err != nil {
		return nil, err
	}
	return withBody(message, command)
}

// Sends the updates in pieces, up to one that fails.
func update(server net.Conn, message []byte) ([]byte, error) {
	command, err := bodyOf(message)
	if err != nil {
		return nil, err
	}
	updates, err := arrayIn(command, "updates")
	if err != nil {
		return nil, err
	}
	if updates.Len() <= updatesAtOnce {
		return exchange(server, message)
	}
	all := wirebson.MustDocument("n", int32(0), "nModified", int32(0), "upserted", wirebson.MakeArray(0), "ok", float64(1))
	var answer []byte
	for from := 0; from < updates.Len(); from += updatesAtOnce {
		piece := wirebson.MakeArray(updatesAtOnce)
		for i := from; i < min(from+updatesAtOnce, updates.Len()); i++ {
			if err = piece.Add(updates.Get(i)); err != nil {
				return nil, err
			}
		}
		if err = command.Replace("updates", piece); err != nil {
			return nil, err
		}
		request, err := withBody(message, command)
		if err != nil {
			return nil, err
		}
		if answer, err = exchange(server, request); err != nil {
			return nil, err
		}
		some, err := bodyOf(answer)
		if err != nil {
			return nil, err
		}
		if some.Get("ok") != float64(1) || some.Get("writeErrors") != nil {
			return answer, nil
		}
		if err = add(all, some); err != nil {
			return nil, err
		}
	}
	if all.Get("upserted").(*wirebson.Array).Len() == 0 {
		all.Remove("upserted")
	}
	return withBody(answer, all)
}

// Adds the outcome of some updates to that of those before.
func add(all, some *wirebson.Document) error {
	for _, count := range []string{"n", "nModified"} {
		if err := all.Replace(count, all.Get(count).(int32)+some.Get(count).(int32)); err != nil {
			return err
		}
	}
	if some.Get("upserted") == nil {
		return nil
	}
	upserted, err := arrayIn(some, "upserted")
	if err != nil {
		return err
	}
	for i := range upserted.Len() {
		if err = all.Get("upserted").(*wirebson.Array).Add(upserted.Get(i)); err != nil {
			return err
		}
	}
	return nil
}

func arrayIn(document *wirebson.Document, name string) (*wirebson.Array, error) {
	return document.Get(name).(wirebson.AnyArray).Decode()
}

// A message's document, with the documents of its other sections as arrays in it.
func bodyOf(message []byte) (*wirebson.Document, error) {
	var parsed wire.OpMsg
	if err := parsed.UnmarshalBinaryNocopy(message[headerLength:]); err != nil {
		return nil, err
	}
	body, err := parsed.RawSection0().Decode()
	if err != nil {
		return nil, err
	}
	for _, section := range parsed.Sections() {
		if section.Kind == 0 {
			continue
		}
		documents := wirebson.MakeArray(0)
		for _, document := range section.Documents() {
			if err = documents.Add(document); err != nil {
				return nil, err
			}
		}
		if err = body.Add(section.Identifier, documents); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// The message with another document, in one section.
func withBody(message []byte, body *wirebson.Document) ([]byte, error) {
	raw, err := body.Encode()
	if err != nil {
		return nil, err
	}
	other := append(bytes.Clone(message[:bodyOffset]), raw...)
	binary.LittleEndian.PutUint32(other, uint32(len(other)))
	return other, nil
}
