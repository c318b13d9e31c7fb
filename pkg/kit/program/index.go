package program

import (
	"time"

	"shop.internal/pkg/kit/server"
)

// Index is the state of an index of the goods in memory.
type Index struct {
	Goods                  int
	Lag                    time.Duration
	Samples, Disagreements int64
}

// IndexGauges are the figures of an index.
func IndexGauges(state func() Index) []server.Gauge {
	return []server.Gauge{
		{
			Name: "catalog_index_goods", Help: "Goods in the index; 0 while lists are read from the database.",
			Value: func() float64 { return float64(state().Goods) },
		},
		{
			Name: "catalog_index_lag_seconds", Help: "Time since the changes of goods were read.",
			Value: func() float64 { return state().Lag.Seconds() },
		},
		{
			Name: "catalog_index_samples", Help: "Questions that were also answered by the database.",
			Value: func() float64 { return float64(state().Samples) },
		},
		{
			Name: "catalog_index_disagreements", Help: "Those with another answer; the index was loaded anew.",
			Value: func() float64 { return float64(state().Disagreements) },
		},
	}
}
