// Package manifests checks the files with which the shop is deployed: the Kubernetes overlays, the compose file, the
// Dockerfiles and the systemd units. `make check` runs its tests. They need no cluster and no network: manifests are
// rendered and decoded strictly into the types of their versions, and then looked at for what docs/operate promises of
// them. The names of settings in all of them are compared with the generated reference.
package manifests
