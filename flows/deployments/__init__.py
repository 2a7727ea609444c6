"""The flows as Prefect runs them; only the files of this folder know Prefect."""

from flows.deployments.deployed import index, nightly, rebuild
from flows.deployments.here import run_job, run_nightly

__all__ = ["index", "nightly", "rebuild", "run_job", "run_nightly"]
