// Keeps a page up to date and answers by key. Texts from the server are set as text;
// HTML comes only from the server's own templates, which escape.
"use strict";
(() => {
	const $ = (sel, at = document) => at.querySelector(sel);
	const $$ = (sel, at = document) => [...at.querySelectorAll(sel)];
	const body = document.body, box = $("#cards"), perPage = 100;
	const isQueue = Boolean(box), isFirst = location.search === "";
	let last = Number(body.dataset.seq), retry = 0, wanted = new Set(), fetching = 0;

	const say = (text) => { $("#say").textContent = text; clearTimeout(say.timer); say.timer = setTimeout(() => { $("#say").textContent = ""; }, 4000); };
	const open = () => $$(".card:not(.over)", box || body);
	const card = (id) => document.getElementById("r-" + id);

	// The connection.
	const state = (live) => { const s = $("#state"); s.textContent = live ? "live" : "disconnected"; s.className = "state " + (live ? "live" : "gone"); };
	function connect() {
		const source = new EventSource("/ui/events?after=" + last);
		source.onopen = () => state(true);
		source.addEventListener("change", (e) => { last = Number(e.lastEventId); change(JSON.parse(e.data)); });
		source.addEventListener("count", (e) => { $("#count").textContent = e.data; counts(); });
		source.addEventListener("stale", () => location.reload());
		source.onerror = () => {
			source.close();
			state(false);
			clearTimeout(retry);
			retry = setTimeout(connect, 2000);
		};
	}

	function change(e) {
		const log = $("#log");
		if (log) {
			const tr = document.createElement("tr");
			for (const text of [e.at, e.kind, e.text]) {
				const td = document.createElement("td");
				td.textContent = text;
				tr.append(td);
			}
			tr.lastChild.className = "long";
			log.prepend(tr);
			while (log.rows.length > 500) log.lastElementChild.remove();
		}
		if (!isQueue || !e.request) return;
		const c = card(e.request);
		if (e.kind === "resolve") over(c, e.state);
		else if (e.kind === "vote" && c) want(e.request);
		else if (e.kind === "request" && e.state === "pending" && !c) want(e.request);
	}

	// over marks what is settled, and takes it away when it was seen.
	function over(c, how) {
		if (!c || c.classList.contains("over")) return;
		const at = current() === c ? next(c, 1) || next(c, -1) : null, had = c.contains(document.activeElement);
		c.classList.add("over");
		for (const b of $$("button, input", c)) b.disabled = true;
		const p = $(".fault", c);
		p.hidden = false;
		p.textContent = how;
		setTimeout(() => { c.remove(); counts(); refill(); }, 3000);
		if (at) move(at, had);
		counts();
	}

	// want has new cards fetched, many at once. A page that is full only counts them.
	function want(id) {
		if (!isFirst) return;
		wanted.add(id);
		clearTimeout(fetching);
		fetching = setTimeout(async () => {
			const room = perPage - open().length, ids = [...wanted].filter((i) => card(i)).concat([...wanted].filter((i) => !card(i)).slice(0, Math.max(0, $("#more") ? 0 : room)));
			if ([...wanted].some((i) => !ids.includes(i))) $("#gap").hidden = false;
			wanted = new Set();
			if (ids.length) put(await get("/ui/cards?" + ids.map((i) => "id=" + i).join("&")));
		}, 80);
	}
	async function refill() {
		if (isFirst && open().length === 0 && ($("#more") || !$("#gap").hidden)) location.reload();
	}
	async function get(url) {
		const res = await fetch(url);
		if (!res.ok) throw new Error(await res.text());
		const t = document.createElement("template");
		t.innerHTML = await res.text();
		return t.content;
	}
	function put(content) {
		const more = $(".more", box);
		for (const c of $$(".card", content)) {
			const old = card(c.dataset.id);
			if (old) old.replaceWith(c);
			else if (more && !content.querySelector(".more")) more.before(c);
			else box.append(c);
		}
		counts();
	}
	function counts() {
		if (!isQueue) return;
		const cards = open();
		$("#empty").hidden = cards.length > 0;
		for (const f of $$(".bulk")) {
			const seen = cards.filter((c) => c.dataset.category === f.dataset.category);
			f.hidden = seen.length === 0;
			$(".n", f).textContent = seen.length;
			f.elements.seen.value = seen.map((c) => c.dataset.id + ":" + c.dataset.digest).join(" ");
		}
	}

	// Forms of cards and bulk are sent without leaving the page.
	document.addEventListener("submit", async (e) => {
		const f = e.target;
		if (!f.matches(".answer, .bulk")) return;
		e.preventDefault();
		const data = new URLSearchParams(new FormData(f));
		if (e.submitter) data.set(e.submitter.name, e.submitter.value);
		const c = f.closest(".card"), buttons = $$("button", c || f);
		for (const b of buttons) b.disabled = true;
		try {
			const res = await fetch(f.getAttribute("action"), { method: "POST", body: data, headers: { "X-Umpire": "1" } });
			const text = (await res.text()).trim();
			if (!res.ok) throw new Error(text);
			say(text);
			// With several people to agree, the card stays until the last did.
			if (c && !$(".votes", c)) over(c, text);
		} catch (err) {
			say("not done: " + err.message);
			if (c) { const p = $(".fault", c); p.hidden = false; p.textContent = "not done: " + err.message; }
		}
		if (!c || !c.classList.contains("over")) for (const b of buttons) b.disabled = false;
	});
	document.addEventListener("click", async (e) => {
		const a = e.target.closest("#more");
		if (a) {
			e.preventDefault();
			const content = await get("/ui/cards?after=" + a.dataset.after), more = $(".more", content);
			$(".more", box).remove();
			const first = $(".card", content);
			put(content);
			if (more) box.append(more);
			if (first) move(first, true);
		} else if (e.target.id === "help-button") $("#help").showModal();
		else if (e.target.id === "reload") location.reload();
	});

	// Keys.
	const current = () => $(".card.at");
	function next(c, step) {
		const list = open(), i = list.indexOf(c);
		return i < 0 ? list[0] : list[i + step];
	}
	function move(c, focus) {
		const old = current();
		if (old) old.classList.remove("at");
		if (!c) return;
		c.classList.add("at");
		if (focus) c.focus({ preventScroll: true });
		c.scrollIntoView({ block: "nearest" });
	}
	document.addEventListener("keydown", (e) => {
		if (!isQueue || e.ctrlKey || e.metaKey || e.altKey || e.repeat && !"jk".includes(e.key)) return;
		const typing = e.target.matches("input, select, textarea");
		if (e.key === "Escape" && typing) { const c = e.target.closest(".card"); if (c) move(c, true); return; }
		if (typing || $("#help").open) return;
		const c = current();
		if (e.key === "j" || e.key === "k") move(next(c, e.key === "j" ? 1 : -1) || c, true);
		else if (e.key === "?") $("#help").showModal();
		else if (c && !c.classList.contains("over") && (e.key === "a" || e.key === "d")) {
			const b = $(`.answer button[value=${e.key === "a" ? "approve" : "deny"}]`, c);
			if (b) b.click();
		} else if (c && e.key === "A") {
			const d = $(".always", c);
			if (d) { d.open = true; $("[name=rule]", d)?.focus(); }
		} else return;
		e.preventDefault();
	});

	// Ages.
	const span = (s) => s < 60 ? s + "s" : s < 3600 ? Math.floor(s / 60) + "m" : Math.floor(s / 3600) + "h";
	setInterval(() => {
		for (const t of $$("time[data-ago]")) { const s = Math.max(0, Math.floor((Date.now() - Date.parse(t.dateTime)) / 1000)); t.textContent = s < 5 ? "just now" : span(s) + " ago"; }
		for (const t of $$("time[data-left]")) t.textContent = span(Math.max(0, Math.floor((Date.parse(t.dateTime) - Date.now()) / 1000)));
	}, 1000);

	connect();
})();
