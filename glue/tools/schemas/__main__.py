"""`python -m tools.schemas`: write the JSON Schemas of the contract to `policies/schemas`."""

from tools.schemas import generate_schemas, schema_text
from warden.resources import share
from warden.toolchain.opa import find_opa

__all__ = ["main"]


def main() -> None:
    """Write each file and print its path."""
    policies = share("policies")
    for name, schema in generate_schemas(find_opa(), policies).items():
        path = policies / "schemas" / f"{name}.json"
        path.write_text(schema_text(schema), encoding="utf-8")
        print(path.relative_to(policies.parent))


if __name__ == "__main__":
    main()
