package report

// programWalks check the tables of the program itself: what it still has to do, and what it noted about itself.
func programWalks() []walk {
	return []walk{
		{table: "outbox_event", checks: []check{
			among("state", "event_states"),
			must("state", "t.state <> @event_dead", "no dead letter: an operator retries it"),
			must("topic", "t.topic <> ''", "a topic"), must("event_key", "t.event_key <> ''", "a key"),
			must("attempts", "t.attempts >= 0 AND t.attempts <= 100", "a number of attempts"),
			must("payload", "t.payload IS NULL OR JSON_VALID(t.payload)", "JSON"),
			must("locked_until", "t.locked_until IS NULL OR t.state = @event_pending", "nothing when it is done"),
			must("available_time", "t.available_time >= t.add_time", "add_time or later"),
		}},
		{table: "idempotency", checks: []check{
			among("state", "answer_states"), must("scope", "t.scope <> ''", "an operation"),
			must("idem_key", "t.idem_key <> ''", "a key"),
			must("request_hash", "t.request_hash REGEXP '^[0-9a-f]{64}$'", "a hash"),
			must("response", "(t.response IS NOT NULL) = (t.state = @answered)", "the answer, when there is one"),
			must("response", "t.response IS NULL OR JSON_VALID(t.response)", "JSON"),
			must("expire_time", "t.expire_time > t.add_time", "after add_time"),
		}},
		{table: "job_failure", checks: []check{
			must("tries", "t.tries >= 1", "1 or more"), must("job", "t.job <> ''", "a job"),
			must("retry_time", "t.retry_time >= t.add_time", "add_time or later"),
		}},
		{table: "job_lease", checks: []check{
			must("fence", "t.fence >= 0", "0 or more"), must("name", "t.name <> ''", "a job"),
		}},
		{table: "log", checks: []check{
			must("type", "t.type IN @log_kinds", "a kind"),
			must("add_time", "NOT t.status OR t.type = @log_security OR "+unrecorded("t.add_time")+" OR EXISTS (SELECT 1 "+
				"FROM audit_log a WHERE a.add_time = t.add_time AND a.admin_name = t.admin)", "the time of an audit record"),
		}},
		{table: "system_config", checks: []check{
			must("key_name", "t.key_name LIKE 'litemall\\_%'", "a setting"),
		}},
		{table: "list_counter", checks: []check{
			must("total", "t.total >= 0", "0 or more"), must("scope", "t.scope <> ''", "a list"),
			must("total", "t.scope <> 'orders:recipients' OR t.total <= (SELECT COALESCE(MAX(o.id), 0) FROM orders o)",
				"an order"),
			must("total", "t.scope <> 'audit:sealed' OR t.total <=> COALESCE((SELECT MAX(a.seal_no) FROM audit_log a), "+
				"(SELECT p.total FROM list_counter p WHERE p.scope = 'audit:purged'))", "the number of the last seal"),
		}},
		{table: "keyword", checks: []check{
			must("keyword", "t.keyword <> ''", "a word"), holds("is_default", proposed),
		}},
		{table: "topic", checks: []check{must("title", "t.title <> ''", "a title")}},
		{table: "ad", checks: []check{
			must("position", "t.position BETWEEN 1 AND 127", "1 to 127"), must("url", "t.url <> ''", "a picture"),
		}},
		{table: "issue", checks: []check{must("question", "t.question <> ''", "a question")}},
		{table: "stat_day", checks: []check{must("users", "t.users >= 0", "0 or more")}},
	}
}

// unrecorded is the condition that the audit record of what was done at a time may have been purged. Each rule that
// asks for a record allows for that. A record has the time of its call, a little before that of what the call did.
func unrecorded(at string) string {
	return "COALESCE(EXISTS (SELECT 1 FROM list_counter c WHERE c.scope = 'audit:purged' AND c.total > 0) AND " + at +
		" < (SELECT MIN(a.add_time) FROM audit_log a) + INTERVAL 10 MINUTE, FALSE)"
}

// proposed says whether a keyword t should be the default: one that becomes it takes the place of the one before, and
// the call has one record, that of the new one.
var proposed = func() string {
	said := "JSON_UNQUOTE(JSON_EXTRACT(" + parsed("a.after_json") + ", '$.default'))"
	return "IF(t.deleted = 1, t.is_default, COALESCE((SELECT a.target_id = t.id AND " + said + " = 'true' " +
		"FROM audit_log a WHERE a.target_type = 'keyword' AND (" + said + " = 'true' " +
		"OR a.target_id = t.id AND " + said + " = 'false') " +
		"ORDER BY a.id DESC LIMIT 1), t.is_default))"
}()
