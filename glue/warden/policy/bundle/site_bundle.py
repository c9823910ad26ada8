"""A site's own rules as a bundle of their own, for an OPA that loads it beside Warden's."""

import json
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.assemble import compute_revision
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.opa import run_opa
from warden.policy.bundle.signing import SigningKey, obtain_local_key
from warden.policy.bundle.site import copy_site, write_site_data
from warden.policy.bundle.unsigned import pack_files

__all__ = ["build_site_bundle"]

_ROOT = "site"


def build_site_bundle(
    output: Path, site: Sequence[Path], *, number: int | None = None, key: SigningKey | None = None
) -> Bundle:
    """Build `output` from a site's directories alone, after they have been compiled with all of Warden's rules.

    ``opa build`` would refuse them: what they import of the library is in the other bundle.

    Args:
        output: The file to write.
        site: As of `warden.policy.bundle.site.check_site`.
        number: As of `warden.policy.bundle.build.build_bundle`.
        key: The key to sign with; by default the one for local use.

    Raises:
        ConfigurationError: No directory is given.
        BundleError: The rules do not compile with Warden's, or are not where they are evaluated.
    """
    if not site:
        raise ConfigurationError("--only site is of your own rules: name their directory with --site")
    opa, key = find_opa(), key or obtain_local_key(Cache.from_environment().root)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".bundle-") as scratch:
        whole = build_bundle(Path(scratch, "whole.tar.gz"), site=site, opa=opa)
        tree, built = Path(scratch, "tree"), Path(scratch, "site.tar.gz")
        tree.mkdir()
        copy_site(site, tree)
        data = _read_data(whole.path)[_ROOT]
        for name in ("reads", "metadata"):  # what Warden has made of the rules
            write_site_data(tree, name, data[name])
        revision = compute_revision(tree, number)
        manifest = {"revision": revision, "roots": [_ROOT], "rego_version": 1}
        (tree / ".manifest").write_text(json.dumps(manifest, sort_keys=True), encoding="utf-8")
        signing = ("--signing-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
        run_opa(opa, "sign", "--bundle", ".", "--output-file-path", ".", *signing, cwd=tree)
        files = sorted(path for path in tree.rglob("*") if path.is_file())
        built.write_bytes(pack_files({path.relative_to(tree).as_posix(): path.read_bytes() for path in files}))
        built.replace(output)
    return Bundle(output, revision, key)


def _read_data(bundle: Path) -> Any:
    with tarfile.open(bundle) as packed:
        file = packed.extractfile("/data.json")
        return json.load(file) if file else {}
