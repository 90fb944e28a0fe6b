vcl 4.1;

# Varnish 7 in front of the site. It needs the module xkey (package varnish-modules).
#
#   varnishd -a :6081 -f /etc/varnish/varnish.vcl -s malloc,512m -p http_gzip_support=off -p http_resp_hdr_len=16k
#
# With http_gzip_support=off Varnish keeps the Brotli of the site; without the option visitors get gzip. Give the site
# CDN_PURGE=varnish:http://THIS-HOST:6081, TRUST_PROXY and PUBLIC_URL. docs/scaling.md tells more.

import directors;
import std;
import xkey;

# The replicas of the site, by their PORT.
backend replica_1 {
  .host = "127.0.0.1";
  .port = "3000";
  .connect_timeout = 1s;
  .probe = {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 1s;
    .window = 2;
    .threshold = 1;
    .initial = 1;
  }
}

# The hosts that may purge: those of the replicas.
acl purgers {
  "localhost";
  "127.0.0.1";
  "::1";
}

sub vcl_init {
  new site = directors.round_robin();
  site.add_backend(replica_1);
}

sub vcl_recv {
  set req.backend_hint = site.backend();

  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403, "Forbidden"));
    }
    if (req.http.Purge-Mode == "hard") {
      set req.http.Purge-Count = xkey.purge(req.http.Purge-Words);
    } else {
      set req.http.Purge-Count = xkey.softpurge(req.http.Purge-Words);
    }
    return (synth(200, "Purged " + req.http.Purge-Count));
  }

  unset req.http.Second-Step;
  # The site takes both from this proxy, and so visitors must not choose them.
  unset req.http.X-Request-Id;
  unset req.http.traceparent;

  # Varnish adds the client to X-Forwarded-For by itself. TLS ends in front of it, where X-Forwarded-Proto is set.

  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Previews of drafts, and whatever needs to be asked each time.
  if (req.http.Authorization || req.http.Cookie ~ "__Host-preview=") {
    return (pass);
  }
  # The site sends clients that prefer Markdown to another address.
  if (req.http.Accept ~ "text/markdown") {
    return (pass);
  }
  if (req.url ~ "^/(livez|healthz|readyz|api/|webhooks/|builds/latest\.json)") {
    return (pass);
  }
  # The site reads no other cookie.
  unset req.http.Cookie;

  # One stored answer for each encoding, and not one for each browser.
  if (req.http.Accept-Encoding ~ "br") {
    set req.http.Accept-Encoding = "br";
  } elsif (req.http.Accept-Encoding ~ "gzip") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }

  # While the site answers, an expired or purged answer is fetched again, once for all who wait: the site answers within a
  # millisecond. Otherwise a visitor might see an old page after a new one. A stale answer is for a site that fails.
  if (req.restarts == 0 && std.healthy(req.backend_hint)) {
    set req.grace = 0s;
  } else {
    set req.grace = 365d;
  }
  return (hash);
}

# First a replica is asked for what it has in its memory (`only-if-cached`). It answers at once, or with 504 at once, so half a second
# without an answer means that it hangs, and another one is asked. After a 504 the same replica may take its time.
sub vcl_backend_fetch {
  # The site itself answers each request within 30 s.
  set bereq.first_byte_timeout = 35s;
  unset bereq.http.Cache-Control;
  if (bereq.method == "GET" || bereq.method == "HEAD") {
    unset bereq.body;
    if (!bereq.http.Second-Step) {
      set bereq.http.Cache-Control = "only-if-cached";
      set bereq.first_byte_timeout = 0.5s;
    }
  }
  unset bereq.http.Second-Step;
}

sub vcl_backend_response {
  if (beresp.status == 504 && bereq.http.Cache-Control == "only-if-cached") {
    set bereq.http.Second-Step = "1";
    set bereq.backend = beresp.backend;
    return (retry);
  }
  if (beresp.status >= 500) {
    if (bereq.is_bgfetch) {
      # Keep the stale answer.
      return (abandon);
    }
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  if (beresp.http.Cache-Control ~ "s-maxage=[1-9]" && beresp.ttl <= 0s) {
    # The page is stale in the site, too. Ask again in a moment.
    set beresp.ttl = 1s;
  }
  if (beresp.http.Surrogate-Control ~ "stale-if-error=\d") {
    set beresp.grace = std.duration(regsub(beresp.http.Surrogate-Control, "^.*stale-if-error=(\d+).*$", "\1") + "s", 1h);
  }
}

# Not reached, or no answer in time: another replica is asked. A form post carries a key, so it is delivered once.
sub vcl_backend_error {
  if (bereq.retries < 3) {
    set bereq.backend = site.backend();
    return (retry);
  }
  if (bereq.is_bgfetch) {
    # Keep the stale answer.
    return (abandon);
  }
  # Varnish would keep the error for a second where others wait for the page, and all of them would get it in place of the stale answer.
  set beresp.ttl = 0s;
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  set beresp.http.Content-Type = "text/html; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "5";
  set beresp.body = {"<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Not available</title>
<body style="font:1.1rem/1.5 system-ui;max-width:30rem;margin:20vh auto;padding:0 1rem"><h1>Not available right now</h1>
<p>Please try again in a moment.</p></body></html>"};
  return (deliver);
}

sub vcl_deliver {
  # The site fails: the stale answer, if there is one. The second time the site's own error page is delivered.
  if (resp.status >= 500 && req.restarts == 0 && (req.method == "GET" || req.method == "HEAD") && !req.http.Authorization) {
    return (restart);
  }
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.Edge-Cache-Tag;
  unset resp.http.Surrogate-Control;
  unset resp.http.CDN-Cache-Control;
  if (obj.hits > 0) {
    unset resp.http.X-Request-Id;
    if (obj.ttl <= 0s) {
      set resp.http.Cache-Status = resp.http.Cache-Status + ", varnish; hit; detail=stale";
    } else {
      set resp.http.Cache-Status = resp.http.Cache-Status + ", varnish; hit";
    }
  } elsif (resp.http.Cache-Status) {
    set resp.http.Cache-Status = resp.http.Cache-Status + ", varnish; fwd=miss";
  }
}
