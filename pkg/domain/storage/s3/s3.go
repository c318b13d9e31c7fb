// Package s3 is the client of object stores with the S3 protocol.
package s3

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	client "github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"

	"shop.internal/pkg/domain/storage"
)

// Open returns a bucket of an object store. It does not connect.
func Open(o storage.S3) (*blob.Bucket, error) {
	options := client.Options{
		Region: o.Region, UsePathStyle: o.PathStyle,
		Credentials: aws.NewCredentialsCache(credentials.NewStaticCredentialsProvider(o.AccessKey, o.SecretKey, "")),
		// Many stores do not support the newer checksums; the signature covers the whole body anyway.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	}
	if o.Endpoint != "" {
		options.BaseEndpoint = &o.Endpoint
	}
	if o.Client != nil {
		options.HTTPClient = o.Client
	}
	b, err := s3blob.OpenBucket(context.Background(), client.New(options), o.Bucket, &s3blob.Options{
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
	})
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", o.Bucket, err)
	}
	return b, nil
}
