# Airflow: a retry resumes the load, since the state folder is the same. It also comes after the run that works on the job (9).
from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

with DAG("keywords", schedule="15 2 * * *", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1):
    BashOperator(
        task_id="load",
        bash_command="reseller keywords add --file examples/keywords.csv --verify --summary-file load.json",
        cwd="/srv/keywords",
        env={"RESELLER_STATE_DIR": "/srv/keywords/state"},
        append_env=True,  # RESELLER_BASE_URL and RESELLER_TOKEN
        retries=3,
        retry_delay=timedelta(minutes=5),
    )
