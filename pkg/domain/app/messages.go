package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
)

// Each message is an event of its own topic, so that a failed one is retried alone and nothing is sent twice.
const (
	topicSMS    = text.SMS + ".send"
	topicMail   = text.Mail + ".send"
	topicNotice = text.Notice + ".send"
)

// messagePayload is the payload of these topics.
type messagePayload struct {
	// Message is the key of the catalogue, Mobile the recipient of a text message.
	Message string
	Mobile  string            `json:",omitempty"`
	Params  map[string]string `json:",omitempty"`
}

// messagesByTopic are the messages sent for each event of an order.
func messagesByTopic() map[string][]*text.Message {
	return map[string][]*text.Message{
		order.TopicPaid:        {text.MailOrderPaid, text.SMSOrderPaid},
		order.TopicPaidLater:   {text.MailOrderPaidLater},
		order.TopicRefundAsked: {text.MailRefundAsked},
		order.TopicShipped:     {text.SMSOrderShipped},
		order.TopicReady:       {text.SMSOrderReady},
		order.TopicRefunded:    {text.SMSOrderRefunded},
		order.TopicAlarm:       {text.NoticePaymentAlarm, text.MailPaymentAlarm},
	}
}

// handleMessages registers the handlers that send messages about orders: text messages to shoppers, mails and notices
// to operators. Text messages and mails wait for external services, so they are delivered aside and delay no refund.
func (d *Domain) handleMessages() {
	for topic, messages := range messagesByTopic() {
		d.Outbox.Handle(topic, func(ctx context.Context, e outbox.Event) error { return d.queueMessages(ctx, e, messages) })
	}
	d.Outbox.HandleAside(topicSMS, d.sendSMS)
	d.Outbox.HandleAside(topicMail, d.sendMail)
	d.Outbox.Handle(topicNotice, d.sendNotice)
	d.Outbox.OnGiveUp(d.reportDeadLetter)
	d.Failures.OnRepeated(d.reportFailing)
}

// queueMessages queues the messages for an event. Their keys derive from the event's, so that a repeated event queues
// nothing twice.
func (d *Domain) queueMessages(ctx context.Context, e outbox.Event, messages []*text.Message) error {
	var n order.EventPayload
	if err := json.Unmarshal([]byte(e.Payload), &n); err != nil {
		return fmt.Errorf("read the event: %w: %w", outbox.ErrNever, err)
	}
	params := map[string]string{
		"order": n.SN, "amount": n.Amount, "carrier": n.Channel, "number": n.ShipSN, "reason": n.Text,
		"address": n.Address, "hours": n.Hours,
	}
	return d.db.InTx(ctx, func(tx *db.Tx) error {
		for _, m := range messages {
			if err := d.queue(ctx, tx, e, m, n.Mobile, params); err != nil {
				return err
			}
		}
		return nil
	})
}

// queue queues one message, if the shop has a sender for it.
func (d *Domain) queue(
	ctx context.Context, tx *db.Tx, e outbox.Event, m *text.Message, mobile string, params map[string]string,
) error {
	l, topic := messagePayload{Message: m.Key, Params: map[string]string{}}, m.Kind+".send"
	for _, p := range m.Params {
		l.Params[p] = params[p]
	}
	switch {
	case topic == topicSMS && (!d.messages.Sends(notify.ByPhone) || mobile == ""),
		topic == topicMail && !d.messages.Sends(notify.ByMail):
		return nil
	case topic == topicSMS:
		l.Mobile = mobile
		// The last six digits are enough for a shopper to recognize the order.
		l.Params["order"] = params["order"][max(0, len(params["order"])-6):]
	}
	return d.Outbox.Add(ctx, tx, topic, m.Kind+":"+e.Key, e.Aggregate, l)
}

// readMessage decodes the message of an event.
func readMessage(e outbox.Event) (messagePayload, *text.Message, error) {
	var l messagePayload
	if err := json.Unmarshal([]byte(e.Payload), &l); err != nil {
		return l, nil, fmt.Errorf("read the message: %w: %w", outbox.ErrNever, err)
	}
	m, known := text.FindMessage(l.Message)
	if !known {
		return l, nil, fmt.Errorf("there is no message %.60q: %w", l.Message, outbox.ErrNever)
	}
	return l, m, nil
}

func (d *Domain) sendSMS(ctx context.Context, e outbox.Event) error {
	l, m, err := readMessage(e)
	if err != nil {
		return err
	}
	return ignoreUnsupported(d.messages.SMS(ctx, e.Key, l.Mobile, m, l.Params))
}

func (d *Domain) sendMail(ctx context.Context, e outbox.Event) error {
	l, m, err := readMessage(e)
	if err != nil {
		return err
	}
	return ignoreUnsupported(d.messages.Mail(ctx, e.Key, nil, m, l.Params))
}

// ignoreUnsupported ignores messages that the shop cannot send: the sender may have been removed since the message was
// queued, and a service may have no template for it.
func ignoreUnsupported(err error) error {
	if errors.Is(err, notify.ErrUnsupported) {
		return nil
	}
	return err
}

func (d *Domain) sendNotice(ctx context.Context, e outbox.Event) error {
	l, m, err := readMessage(e)
	if err != nil {
		return err
	}
	title, content, err := d.messages.Notice(m, l.Params)
	if err != nil || title == "" {
		return err
	}
	return d.Access.Notify(ctx, title, content)
}

// reportDeadLetter notifies operators of a dead letter. If the dead letter is a notice itself, it is only logged.
func (d *Domain) reportDeadLetter(ctx context.Context, tx *db.Tx, e outbox.Event, cause error) error {
	d.log.ErrorContext(ctx, "outbox event given up", "topic", e.Topic, "key", e.Key, "err", cause.Error())
	if e.Topic == topicNotice {
		return nil
	}
	id := strconv.FormatInt(e.ID, 10)
	// An event that is retried may become a dead letter again, hence the time.
	key := "notice:given-up:" + id + ":" + strconv.FormatInt(d.now().UnixMilli(), 10)
	return d.Outbox.Add(ctx, tx, topicNotice, key, e.ID, messagePayload{
		Message: text.NoticeGivenUp.Key, Params: map[string]string{"effect": e.Key, "id": id},
	})
}

// reportFailing notifies operators of a row that a job cannot handle, at most once an hour for each job, since one
// cause may affect many rows.
func (d *Domain) reportFailing(ctx context.Context, tx *db.Tx, f job.Failure) error {
	d.log.ErrorContext(ctx, "job keeps failing on a row", "job", f.Job, "row", f.RowID, "tries", f.Tries,
		"err", f.LastError)
	key := "notice:job-failure:" + f.Job + ":" + d.now().Format("2006010215")
	return d.Outbox.Add(ctx, tx, topicNotice, key, f.RowID, messagePayload{
		Message: text.NoticeJobFailure.Key,
		Params:  map[string]string{"job": f.Job, "row": strconv.FormatInt(f.RowID, 10)},
	})
}

// RetryRow makes a failed row of a job due again. It reports whether there was one.
func (d *Domain) RetryRow(ctx context.Context, name string, row int64) (bool, error) {
	err := d.db.InTx(ctx, func(tx *db.Tx) error { return d.retryRow(ctx, tx, name, row) })
	if errors.Is(err, errno.Stale) {
		return false, nil
	}
	return err == nil, err
}

// RetryRowOnce is RetryRow for a request that may be repeated. It fails with errno.Stale if the row is not set aside.
func (d *Domain) RetryRowOnce(ctx context.Context, name string, row int64) error {
	return idempotency.Do(ctx, d.once, func(tx *db.Tx) error { return d.retryRow(ctx, tx, name, row) })
}

func (d *Domain) retryRow(ctx context.Context, tx *db.Tx, name string, row int64) error {
	ok, err := d.Failures.Retry(ctx, tx, name, row)
	if err == nil && !ok {
		err = fmt.Errorf("row %d of job %s is not set aside: %w", row, name, errno.Stale)
	}
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Change{
		ID: row, After: map[string]any{"job": name, "retry": true}, Result: name + " " + strconv.FormatInt(row, 10),
	})
}

// JobStates returns what the jobs did last, in two statements.
func (d *Domain) JobStates(ctx context.Context) ([]job.State, error) { return d.progress.States(ctx) }
