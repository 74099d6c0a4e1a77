"""nginx as a server of sites that are measured, or crawled for a profile: what they share."""

PROGRAM = "/usr/sbin/nginx"

CONFIGURATION = """
daemon off;
master_process off;
pid nginx.pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
  include /etc/nginx/mime.types;
  sendfile on;
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
{http}
}}
"""


def command(folder, http):
    """Writes a configuration with these lines of its own into a folder. -> argv"""
    (folder / "nginx.conf").write_text(CONFIGURATION.format(http=http), encoding="utf-8")
    return [PROGRAM, "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]
