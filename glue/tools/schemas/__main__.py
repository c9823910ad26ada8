"""`python -m tools.schemas`: write the JSON Schemas of the contract to `schemas/`."""

from tools.schemas import generate_schemas, render_schema
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa

__all__ = ["main"]


def main() -> None:
    """Write each file and print its path."""
    directory = find_shipped("schemas")
    for name, schema in generate_schemas(find_opa(), find_shipped("policies")).items():
        path = directory / f"{name}.json"
        path.write_text(render_schema(schema), encoding="utf-8")
        print(path.relative_to(directory.parent))


if __name__ == "__main__":
    main()
