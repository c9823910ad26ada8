"""The image, which two files of tests look at: it is built once a process."""

import pytest

from tests.fixtures.image import BuiltImage, build_image

__all__ = ["built_image"]


@pytest.fixture(scope="session")
def built_image(tmp_path_factory: pytest.TempPathFactory) -> BuiltImage:
    """What the Dockerfile's steps make, as a directory, and its layer as it was then."""
    directory = tmp_path_factory.mktemp("image")
    return build_image(directory / "image", directory / "layer")
