"""What the document can say in words only, and the service holds all the same."""
import schemathesis


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """No schema says that two names of one parameter must have one value, nor which cursor is one of this client."""
    if response.status_code == 422:
        return not all(" contradicts " in error for error in response.json()["errors"])
    return True
