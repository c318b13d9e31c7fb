package contract

import (
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/wire"
)

// Object is a stored file.
type Object struct {
	ID   int64     `json:"id"`
	Key  string    `json:"key"`
	Name string    `json:"name" doc:"What the uploader called it; no part of any address."`
	Type string    `json:"type" doc:"The media type, found from the bytes."`
	Size int64     `json:"size" label:"fileSize" doc:"Bytes as stored."`
	URL  wire.Link `json:"url"`
	wire.Stamps
}

// ObjectOf renders a stored file.
func ObjectOf(z wire.Zone, o storage.Object) Object {
	return Object{
		ID: o.ID, Key: o.Key, Name: o.Name, Type: o.Type, Size: o.Size, URL: wire.Link(o.URL),
		Stamps: z.Stamps(o.AddTime, o.UpdateTime),
	}
}
