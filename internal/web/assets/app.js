// Updates the page, answers by key, and holds each answer for a moment so that it can be undone.
// Texts from the server are set as text. HTML comes only from the server's own templates, which
// escape.
"use strict";
(() => {
	const $ = (sel, at = document) => at.querySelector(sel);
	const $$ = (sel, at = document) => [...at.querySelectorAll(sel)];
	const body = document.body, list = $("#list"), detail = $("#detail");
	const undoFor = 5000, settle = 400; // ms
	let last = Number(body.dataset.seq), retry = 0;

	const say = (text) => { $("#say").textContent = text; clearTimeout(say.timer); say.timer = setTimeout(() => { $("#say").textContent = ""; }, 4000); };

	// A server on another port of this host gets the cookie, but cannot read the key of the
	// session, which only the page after the login has. Forms need both.
	const key = () => { try { return localStorage.getItem("umpire-key"); } catch { return null; } };
	if ("back" in body.dataset) try { sessionStorage.setItem("umpire-back", location.href); } catch { /* the login then leads to the queue */ }
	if (body.dataset.key) try {
		localStorage.setItem("umpire-key", body.dataset.key);
		const back = sessionStorage.getItem("umpire-back") ?? "/";
		sessionStorage.removeItem("umpire-back");
		location.replace(back);
	} catch { /* the browser stores nothing: the page has a form for it */ }
	if (!$("#state")) return; // no person is logged in
	document.addEventListener("formdata", (e) => { if (key()) e.formData.set("key", key()); });
	if ("keyed" in body.dataset && !key()) $("#keyless").hidden = false;

	// The connection.
	const state = (text) => { const s = $("#state"); s.textContent = text; s.className = "state " + (text === "live" ? "live" : "gone"); };
	function connect() {
		const source = new EventSource("/ui/events?after=" + last);
		source.onopen = () => state("live");
		source.addEventListener("change", (e) => { last = Number(e.lastEventId); change(JSON.parse(e.data)); });
		source.addEventListener("count", (e) => { $("#count").textContent = e.data; });
		source.addEventListener("stale", () => {
			source.close();
			if (unfinished()) state("out of date: reload"); // a reload would lose what is typed
			else location.reload();
		});
		source.onerror = async () => {
			source.close();
			state("disconnected");
			clearTimeout(retry);
			retry = setTimeout(connect, 2000);
			try { if ((await fetch("/ui/card/-")).status === 401) state("logged out"); } catch { /* still disconnected */ }
		};
	}
	function change(e) {
		log(e);
		if (list && e.request) {
			refresh();
			if (e.kind === "resolve") over(e.request, e.state);
			else if (e.kind === "vote" && picked() === e.request && !held.has(e.request)) show(e.request, false);
		}
		if ($("[data-live]")) redraw();
	}
	function log(e) {
		const rows = $("#log");
		if (!rows) return;
		const tr = document.createElement("tr");
		for (const text of [e.at, e.kind, e.text, ""]) {
			const td = document.createElement("td");
			td.textContent = text;
			tr.append(td);
		}
		tr.cells[2].className = "long";
		if (["request", "vote", "resolve", "execute", "result", "stop"].includes(e.kind)) {
			const a = document.createElement("a");
			a.href = "/request/" + encodeURIComponent(e.request);
			a.textContent = "open";
			a.setAttribute("aria-label", "Open request of event " + e.seq);
			tr.cells[3].append(a);
		}
		rows.prepend(tr);
		while (rows.rows.length > 500) rows.lastElementChild.remove();
	}
	async function get(url) {
		const res = await fetch(url);
		if (!res.ok) throw new Error((await res.text()).trim());
		const t = document.createElement("template");
		t.innerHTML = await res.text();
		return t.content;
	}

	// busy returns a function that runs f after a pause, and never twice at a time. A call during a
	// run starts another run afterwards. A slow gateway makes the pause longer.
	function busy(wait, f) {
		let timer = 0, runs = false, again = false, took = 0;
		const run = async () => {
			const begun = performance.now();
			timer = 0;
			runs = true;
			try { await f(); } catch { /* the state of the connection shows the failure */ }
			runs = false;
			took = performance.now() - begun;
			if (again) { again = false; start(); }
		};
		const start = () => { if (runs) again = true; else if (!timer) timer = setTimeout(run, Math.max(wait, 2 * took)); };
		return start;
	}

	// Redraw the overview after a change, unless the person has the focus in it.
	const redraw = busy(2000, async () => {
		if (document.hidden || $("#main").contains(document.activeElement) && document.activeElement !== $("#main")) return;
		const now = $("[data-live]", await get(location.href));
		if (now) $("[data-live]").replaceWith(now);
	});

	// The list. Rows only choose which request is shown: a list that moves under the pointer
	// answers nothing.
	const rows = () => $$(".row", list);
	const row = (id) => document.getElementById("row-" + id);
	const card = () => detail && $(".card", detail);

	// Drafts keep what a person types into a request while the page is open, even if another
	// request replaces it.
	const drafts = new Map();
	const inputs = (c) => $$(".answer [name=note], .answer [name=own]", c);
	const unfinished = () => drafts.size || $$("main form[method=post] :is(input:not([type=hidden]), textarea)").some((e) => e.value !== e.defaultValue);
	function keep(c) {
		const values = inputs(c).map((e) => e.value);
		if (values.some(Boolean) && !c.classList.contains("over")) drafts.set(c.dataset.id, values);
		else if (values.length) drafts.delete(c.dataset.id);
	}
	// restore puts a draft back, and returns whether every field of it still exists.
	function restore(c) {
		const values = drafts.get(c.dataset.id) ?? [], to = inputs(c);
		values.forEach((v, i) => {
			if (!v || !to[i]) return;
			to[i].value = v;
			const d = to[i].closest("details");
			if (d) d.open = true;
		});
		return values.every((v, i) => !v || to[i]);
	}
	// unsent shows an answer that did not arrive, with what was typed, until the person dismisses
	// it.
	function unsent(label, why, texts) {
		const box = document.createElement("div"), text = document.createElement("span"), b = document.createElement("button");
		text.textContent = `Not sent: ${label}. ${why}` + texts.filter(Boolean).map((t) => ` You typed: ${t}`).join("");
		b.type = "button";
		b.textContent = "Dismiss";
		b.addEventListener("click", () => box.remove());
		box.append(text, b);
		box.className = "unsent";
		$("#held").append(box);
	}

	let chosen = card()?.dataset.id ?? "", shownAt = -settle, loading = 0;
	const picked = () => chosen;
	const refresh = busy(100, async () => {
		const q = new URLSearchParams(location.search);
		q.delete("id");
		const content = await get("/ui/list?" + q), at = rows().findIndex((r) => r.dataset.id === chosen);
		const focus = list.contains(document.activeElement) ? document.activeElement.dataset.id : null, open = $(".bulks", list)?.open, bulk = $(".bulks", content);
		if (bulk && open) bulk.open = true;
		list.replaceChildren(content);
		for (const id of held.keys()) row(id)?.classList.add("held");
		mark();
		if (focus) (row(focus) ?? rows()[Math.min(at, rows().length - 1)])?.focus({ preventScroll: true });
		// A shown request stays until the person has seen how it ended.
		const free = rows().filter((r) => !held.has(r.dataset.id));
		if (!card() && free.length) show((free[Math.max(0, at)] ?? free[0]).dataset.id, false);
	});
	function mark() {
		for (const r of rows()) {
			if (r.dataset.id === chosen) r.setAttribute("aria-current", "true");
			else r.removeAttribute("aria-current");
		}
	}
	// show shows a request beside the list. The person cannot answer anything until it is loaded.
	async function show(id, by) {
		const mine = ++loading;
		chosen = id;
		mark();
		row(id)?.scrollIntoView({ block: "nearest" });
		const old = card();
		if (old) { old.setAttribute("aria-busy", "true"); old.inert = true; }
		let content;
		try { content = await get("/ui/card/" + encodeURIComponent(id)); } catch (err) {
			if (mine !== loading) return;
			say(err.message);
			if (card()) { // the old request stays and can be answered
				card().removeAttribute("aria-busy");
				card().inert = false;
			}
			chosen = card()?.dataset.id ?? "";
			mark();
			return;
		}
		if (mine !== loading) return;
		if (card()) keep(card());
		detail.replaceChildren(content);
		restore(card());
		detail.scrollTop = 0;
		shownAt = by ? -settle : performance.now();
		const q = new URLSearchParams(location.search);
		q.set("id", id);
		history.replaceState(null, "", "/?" + q);
		ages();
	}
	function clear() {
		loading++;
		chosen = "";
		if (card()) keep(card());
		detail.replaceChildren();
		const q = new URLSearchParams(location.search);
		q.delete("id");
		history.replaceState(null, "", q.size ? "/?" + q : "/");
		mark();
	}
	// step shows the next request without an answer, in a direction.
	function step(by, person) {
		const all = rows(), at = all.findIndex((r) => r.dataset.id === chosen);
		for (let i = at + by; i >= 0 && i < all.length; i += by) {
			if (!held.has(all[i].dataset.id)) { show(all[i].dataset.id, person); return true; }
		}
		return false;
	}
	function onward() {
		if (!step(1, false) && !step(-1, false)) clear();
	}
	// over shows how the displayed request ended, and continues with the next one after a moment.
	function over(id, how) {
		const c = card();
		if (!c || c.dataset.id !== id || c.classList.contains("over") || loading && chosen !== id) return;
		c.classList.add("over");
		for (const b of $$("button, input, select, textarea", c)) b.disabled = true;
		const p = $(".fault", c);
		p.hidden = false;
		p.textContent = how;
		if (inputs(c).some((e) => e.value)) return; // keep it: the person may want to read what they typed
		setTimeout(() => { if (card() === c && chosen === id) onward(); }, 3000);
	}

	// Answers. Each is held for a moment: "undo" takes it back, and leaving the page sends it.
	const held = new Map();
	function hold(key, f, submitter, label, c) {
		if (held.has(key)) return;
		const data = new URLSearchParams(new FormData(f));
		if (submitter) data.set(submitter.name, submitter.value);
		const box = document.createElement("div"), text = document.createElement("span"), undo = document.createElement("button");
		text.textContent = label;
		undo.type = "button";
		undo.textContent = "Undo (u)";
		undo.addEventListener("click", () => take(key));
		box.append(text, undo);
		$("#held").append(box);
		held.set(key, { url: f.getAttribute("action"), data, box, label, card: Boolean(c), timer: setTimeout(() => send(key), undoFor) });
		if (c) {
			row(key)?.classList.add("held");
			onward();
		}
	}
	function drop(key) {
		const h = held.get(key);
		held.delete(key);
		clearTimeout(h.timer);
		h.box.remove();
		row(key)?.classList.remove("held");
		return h;
	}
	function take(key) {
		const h = drop(key);
		say("undone");
		if (h.card) show(key, true);
	}
	async function send(key) {
		const h = held.get(key);
		$("button", h.box).disabled = true; // too late to undo
		try {
			const res = await fetch(h.url, { method: "POST", body: h.data, headers: { "X-Umpire": "1" } });
			const text = (await res.text()).trim();
			if (!res.ok) throw new Error(text);
			say(text);
		} catch (err) {
			say("not done: " + err.message);
			drop(key);
			if (h.card) await show(key, true);
			const p = $(".fault", detail), here = h.card && chosen === key && card()?.dataset.id === key;
			if (here && p) { p.hidden = false; p.textContent = "not done: " + err.message; }
			if (!here || !restore(card())) {
				unsent(h.label, err.message, [h.data.get("note"), h.data.get("own")]);
				drafts.delete(key);
			}
			if (list) refresh();
			return;
		}
		drop(key);
		drafts.delete(key);
		if (list) refresh();
	}
	addEventListener("pagehide", () => {
		for (const key of [...held.keys()]) {
			const h = drop(key);
			navigator.sendBeacon(h.url, h.data);
		}
	});
	document.addEventListener("submit", async (e) => {
		const f = e.target;
		if (f.matches(".answer")) {
			e.preventDefault();
			const c = f.closest(".card"), verb = e.submitter.textContent.trim();
			hold(c.dataset.id, f, e.submitter, verb + ": " + $(".action", c).textContent, c);
		} else if (f.matches(".bulk form")) {
			e.preventDefault();
			hold("bulk " + f.elements.category.value + f.elements.do.value, f, e.submitter, e.submitter.textContent.trim() + " of " + f.elements.category.value, null);
		} else if (held.size && f.method === "post") { // a logout must not overtake an answer
			e.preventDefault();
			await Promise.all([...held.keys()].map(send));
			if (e.submitter?.name) {
				const extra = document.createElement("input");
				extra.type = "hidden";
				extra.name = e.submitter.name;
				extra.value = e.submitter.value;
				f.append(extra);
			}
			f.submit();
		}
	});
	document.addEventListener("click", (e) => {
		const r = e.target.closest("#list .row");
		if (r && !e.ctrlKey && !e.metaKey && !e.shiftKey && e.button === 0) {
			e.preventDefault();
			show(r.dataset.id, true).then(() => { if (matchMedia("(max-width: 700px)").matches) detail.scrollIntoView({ block: "start" }); });
		} else if (e.target.id === "help-button") $("#help").showModal();
	});

	// Keys.
	document.addEventListener("keydown", (e) => {
		if (!list || e.ctrlKey || e.metaKey || e.altKey || e.repeat && !"jk".includes(e.key)) return;
		const typing = e.target.matches("input, select, textarea");
		if (e.key === "Escape" && typing) { detail.focus(); return; }
		if (typing || $("#help").open) return;
		const c = card(), ready = c && c.dataset.id === chosen && !c.inert && !c.classList.contains("over");
		if (e.key === "j" || e.key === "k") { if (chosen) step(e.key === "j" ? 1 : -1, true); else if (rows()[0]) show(rows()[0].dataset.id, true); }
		else if (e.key === "?") $("#help").showModal();
		else if (e.key === "u" && held.size) take([...held.keys()].pop());
		else if (ready && (e.key === "a" || e.key === "d")) {
			// Another request has just replaced the answered one: the key press was meant for that.
			if (performance.now() - shownAt > settle) $(`.answer button[value=${e.key === "a" ? "approve" : "deny"}]`, c)?.click();
		} else if (ready && e.key === "n") $("[name=note]", c)?.focus();
		else if (ready && e.key === "A") {
			const d = $(".always", c);
			if (d) { d.open = true; $("[name=rule]", d)?.focus(); }
		} else return;
		e.preventDefault();
	});

	// Ages.
	const span = (s) => s < 60 ? s + " s" : s < 7200 ? Math.floor(s / 60) + " min" : s < 172800 ? Math.floor(s / 3600) + " h" : Math.floor(s / 86400) + " days";
	function ages() {
		for (const t of $$("time[data-ago]")) { const s = Math.max(0, Math.floor((Date.now() - Date.parse(t.dateTime)) / 1000)); t.textContent = s < 5 ? "just now" : span(s) + " ago"; }
		for (const t of $$("time[data-left]")) t.textContent = span(Math.max(0, Math.floor((Date.parse(t.dateTime) - Date.now()) / 1000)));
	}
	setInterval(ages, 1000);

	connect();
})();
