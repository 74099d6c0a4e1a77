"""The settings of crawls and checks, with their types.

A test compares them with the table of the options, so that a type checker knows every setting.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from typing import TypedDict, Union

Scalar = Union[str, int, float, datetime.timedelta, "os.PathLike[str]"]
Flag = Union[bool, None]
Value = Union[Scalar, None]
Choice = Union[Scalar, bool, None]  # True and False are two of its values
Values = Union[Scalar, Iterable[Scalar], Mapping[str, str], None]


class SharedSettings(TypedDict, total=False):
    """What crawl() and check() have in common."""

    scope: Value
    include: Values
    exclude: Values
    depth: Value
    js_links: Flag
    sitemaps: Flag
    concurrency: Value
    host_concurrency: Value
    delay: Value
    rate: Value
    no_robots: Flag
    limit: Value
    quota: Value
    max_time: Value
    max_size: Value
    host_limit: Value
    path_limit: Value
    max_redirect: Value
    max_tries: Value
    max_outage: Value
    max_wait: Value
    timeout: Value
    dns_timeout: Value
    read_timeout: Value
    min_rate: Value
    user_agent: Value
    contact: Value
    header: Values
    user: Value
    password_env: Value
    netrc: Flag
    netrc_file: Value
    login_url: Value
    login_field: Values
    login_check: Value
    follow_logout: Flag
    cookie_jar: Value
    load_cookies: Value
    insecure: Flag
    cacert: Value
    cert: Value
    key: Value
    resolve: Values
    dns_servers: Values
    proxy: Value
    no_proxy: Flag
    http1: Flag
    http2_prior_knowledge: Flag
    allow_private: Flag
    connect_timeout: Value
    loop: Value
    config: Values
    trust: Flag


class CrawlSettings(SharedSettings, total=False):
    """The keywords of crawl(), get() and fetch()."""

    input_file: Values
    strict: Flag
    lenient: Flag
    assets: Flag
    render: Value
    render_with: Value
    wait_for: Value
    scroll: Value
    content_type: Values
    skip_extensions: Values
    max_url_length: Value
    no_trap: Values
    max_hosts_per_domain: Value
    order: Value
    follow_nofollow: Flag
    extract: Values
    extract_file: Values
    items: Value
    content: Values
    metadata: Flag
    similar: Flag
    control: Value
    metrics: Value
    warc_file: Value
    warc_max_size: Value
    warc_cdx: Flag
    warc_dedup: Flag
    warc_metadata: Flag
    warc_header: Values
    wacz: Flag
    index: Flag
    job: Value
    durability: Value
    memory: Value
    disk_reserve: Value
    archive: Choice
    refresh: Flag
    older_than: Value
    change_settings: Flag
    cluster: Value
    cluster_password_file: Value
    cluster_cacert: Value
    cluster_lease: Value
    threads: Value


class CheckSettings(SharedSettings, total=False):
    """The keywords of check() and check_async()."""

    no_external: Flag
    fragments: Value
    seo: Flag
    accept: Value
    github_token: Value
    include_mail: Flag
    include_wikilinks: Flag
    include_verbatim: Flag
    remap: Values
    root_dir: Value
    base_url: Value
    cache: Value
    max_cache_age: Value
