--
-- PostgreSQL database dump
--

\restrict lYOCZcLughKdSlx1JR50wguHoVjGLnRKmkCcGtZPrnfPrHw35MR4Yvge6PyFBso

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: api_key_roles; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.api_key_roles (
    id bigint NOT NULL,
    role_name character varying(255) NOT NULL,
    meta json NOT NULL,
    api_key_id bigint NOT NULL
);


ALTER TABLE public.api_key_roles OWNER TO postgres;

--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    expiration_date timestamp(0) without time zone DEFAULT NULL::timestamp without time zone,
    enabled boolean NOT NULL,
    key character varying(255) NOT NULL,
    name character varying(255) DEFAULT NULL::character varying
);


ALTER TABLE public.api_keys OWNER TO postgres;

--
-- Name: domains; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.domains (
    id bigint NOT NULL,
    authority character varying(255) NOT NULL,
    base_url_redirect text,
    regular_not_found_redirect text,
    invalid_short_url_redirect text
);


ALTER TABLE public.domains OWNER TO postgres;

--
-- Name: redirect_conditions; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.redirect_conditions (
    id bigint NOT NULL,
    type character varying(255) NOT NULL,
    match_key character varying(512) DEFAULT NULL::character varying,
    match_value character varying(512) DEFAULT NULL::character varying
);


ALTER TABLE public.redirect_conditions OWNER TO postgres;

--
-- Name: redirect_conditions_in_short_url_redirect_rules; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.redirect_conditions_in_short_url_redirect_rules (
    redirect_condition_id bigint NOT NULL,
    short_url_redirect_rule_id bigint NOT NULL
);


ALTER TABLE public.redirect_conditions_in_short_url_redirect_rules OWNER TO postgres;

--
-- Name: short_url_redirect_rules; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.short_url_redirect_rules (
    id bigint NOT NULL,
    priority integer NOT NULL,
    long_url text NOT NULL,
    short_url_id bigint NOT NULL
);


ALTER TABLE public.short_url_redirect_rules OWNER TO postgres;

--
-- Name: short_url_visits_counts; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.short_url_visits_counts (
    id bigint NOT NULL,
    potential_bot boolean DEFAULT false NOT NULL,
    count bigint DEFAULT 1 NOT NULL,
    slot_id integer NOT NULL,
    short_url_id bigint NOT NULL
);


ALTER TABLE public.short_url_visits_counts OWNER TO postgres;

--
-- Name: short_urls; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.short_urls (
    id bigint NOT NULL,
    original_url text NOT NULL,
    short_code character varying(255) NOT NULL,
    date_created timestamp(0) without time zone NOT NULL,
    valid_since timestamp(0) without time zone DEFAULT NULL::timestamp without time zone,
    valid_until timestamp(0) without time zone DEFAULT NULL::timestamp without time zone,
    max_visits integer,
    import_source character varying(255) DEFAULT NULL::character varying,
    import_original_short_code character varying(255) DEFAULT NULL::character varying,
    title character varying(512) DEFAULT NULL::character varying,
    title_was_auto_resolved boolean DEFAULT false NOT NULL,
    crawlable boolean DEFAULT false NOT NULL,
    forward_query boolean DEFAULT true NOT NULL,
    domain_id bigint,
    author_api_key_id bigint,
    long_url_hash bytea NOT NULL
);


ALTER TABLE public.short_urls OWNER TO postgres;

--
-- Name: short_urls_in_tags; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.short_urls_in_tags (
    short_url_id bigint NOT NULL,
    tag_id bigint NOT NULL
);


ALTER TABLE public.short_urls_in_tags OWNER TO postgres;

--
-- Name: tags; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.tags (
    id bigint NOT NULL,
    name character varying(255) NOT NULL
);


ALTER TABLE public.tags OWNER TO postgres;

--
-- Name: visit_locations; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visit_locations (
    id bigint NOT NULL,
    country_code character varying(255) DEFAULT NULL::character varying,
    country_name character varying(255) DEFAULT NULL::character varying,
    region_name character varying(255) DEFAULT NULL::character varying,
    city_name character varying(255) DEFAULT NULL::character varying,
    timezone character varying(255) DEFAULT NULL::character varying,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    is_empty boolean DEFAULT false NOT NULL
);


ALTER TABLE public.visit_locations OWNER TO postgres;

--
-- Name: visits; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visits (
    id bigint NOT NULL,
    referer character varying(1024) DEFAULT NULL::character varying,
    date timestamp(0) without time zone NOT NULL,
    remote_addr character varying(255) DEFAULT NULL::character varying,
    user_agent character varying(512) DEFAULT NULL::character varying,
    visited_url character varying(2048) DEFAULT NULL::character varying,
    type character varying(255) NOT NULL,
    potential_bot boolean DEFAULT false NOT NULL,
    redirect_url character varying(2048) DEFAULT NULL::character varying,
    short_url_id bigint,
    visit_location_id bigint
);


ALTER TABLE public.visits OWNER TO postgres;

--
-- Data for Name: api_key_roles; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.api_key_roles (id, role_name, meta, api_key_id) FROM stdin;
1	AUTHORED_SHORT_URLS	[]	4
2	NO_ORPHAN_VISITS	[]	2
\.


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.api_keys (id, expiration_date, enabled, key, name) FROM stdin;
1	\N	t	ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad	Backup script
2	2027-01-01 00:00:00	t	cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34	App
3	\N	f	a3a3a3	Old
4	\N	t	9f9f9f	Guest
\.


--
-- Data for Name: domains; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.domains (id, authority, base_url_redirect, regular_not_found_redirect, invalid_short_url_redirect) FROM stdin;
1	go.shlink.test	https://example.com/home	https://example.com/404	https://example.com/lost
2	Other.shlink.test	\N	\N	\N
\.


--
-- Data for Name: redirect_conditions; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.redirect_conditions (id, type, match_key, match_value) FROM stdin;
1	device	\N	ios
2	query-param	utm_source	x
3	language	\N	en-GB
4	ip-address	\N	10.*.1.2
\.


--
-- Data for Name: redirect_conditions_in_short_url_redirect_rules; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.redirect_conditions_in_short_url_redirect_rules (redirect_condition_id, short_url_redirect_rule_id) FROM stdin;
1	2
2	2
3	1
4	3
\.


--
-- Data for Name: short_url_redirect_rules; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.short_url_redirect_rules (id, priority, long_url, short_url_id) FROM stdin;
1	2	https://example.com/en	1
2	1	https://example.com/ios	1
3	3	https://example.com/inside	1
\.


--
-- Data for Name: short_url_visits_counts; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.short_url_visits_counts (id, potential_bot, count, slot_id, short_url_id) FROM stdin;
1	f	5	1	1
2	f	2	2	1
3	t	1	1	1
\.


--
-- Data for Name: short_urls; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.short_urls (id, original_url, short_code, date_created, valid_since, valid_until, max_visits, import_source, import_original_short_code, title, title_was_auto_resolved, crawlable, forward_query, domain_id, author_api_key_id, long_url_hash) FROM stdin;
1	https://example.com/?utm_source=news	Spring	2024-05-01 10:20:30	\N	\N	\N	\N	\N	It's "spring" \\ 50 % 🌷	f	t	t	\N	1	\\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
2	https://example.org/café	guide/start	2024-05-02 10:20:30	2024-06-01 00:00:00	2030-01-01 00:00:00	100	\N	\N	\N	f	f	f	1	1	\\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
3	https://example.net/	été-🍪	2024-05-03 10:20:30	\N	\N	\N	bitly	abc	\N	t	f	t	\N	\N	\\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
\.


--
-- Data for Name: short_urls_in_tags; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.short_urls_in_tags (short_url_id, tag_id) FROM stdin;
1	1
1	2
2	1
\.


--
-- Data for Name: tags; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.tags (id, name) FROM stdin;
1	games
2	Été & tech
\.


--
-- Data for Name: visit_locations; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.visit_locations (id, country_code, country_name, region_name, city_name, timezone, lat, lon, is_empty) FROM stdin;
1	US	United States	California	Cupertino	America/Los_Angeles	37.3	-122.09	f
2						0	0	t
\.


--
-- Data for Name: visits; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.visits (id, referer, date, remote_addr, user_agent, visited_url, type, potential_bot, redirect_url, short_url_id, visit_location_id) FROM stdin;
1	https://www.t.co/x	2024-05-03 10:05:03	192.0.2.0	Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36	https://s.test/Spring?utm_medium=mail	valid_short_url	f	https://example.com/	1	1
2		2024-05-03 10:59:59	192.0.2.0	Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1	https://s.test/Spring	valid_short_url	f	https://example.com/	1	2
3		2024-05-03 11:00:00	192.0.2.0	Googlebot/2.1	https://s.test/Spring	valid_short_url	t	https://example.com/	1	\N
4		2024-05-03 11:30:00	192.0.2.0	curl/8	https://s.test/	base_url	f	\N	\N	\N
\.


--
-- Name: api_key_roles api_key_roles_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.api_key_roles
    ADD CONSTRAINT api_key_roles_pkey PRIMARY KEY (id);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: domains domains_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);


--
-- Name: redirect_conditions_in_short_url_redirect_rules redirect_conditions_in_short_url_redirect_rules_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.redirect_conditions_in_short_url_redirect_rules
    ADD CONSTRAINT redirect_conditions_in_short_url_redirect_rules_pkey PRIMARY KEY (redirect_condition_id, short_url_redirect_rule_id);


--
-- Name: redirect_conditions redirect_conditions_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.redirect_conditions
    ADD CONSTRAINT redirect_conditions_pkey PRIMARY KEY (id);


--
-- Name: short_url_redirect_rules short_url_redirect_rules_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.short_url_redirect_rules
    ADD CONSTRAINT short_url_redirect_rules_pkey PRIMARY KEY (id);


--
-- Name: short_url_visits_counts short_url_visits_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.short_url_visits_counts
    ADD CONSTRAINT short_url_visits_counts_pkey PRIMARY KEY (id);


--
-- Name: short_urls_in_tags short_urls_in_tags_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.short_urls_in_tags
    ADD CONSTRAINT short_urls_in_tags_pkey PRIMARY KEY (short_url_id, tag_id);


--
-- Name: short_urls short_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.short_urls
    ADD CONSTRAINT short_urls_pkey PRIMARY KEY (id);


--
-- Name: tags tags_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.tags
    ADD CONSTRAINT tags_pkey PRIMARY KEY (id);


--
-- Name: visit_locations visit_locations_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visit_locations
    ADD CONSTRAINT visit_locations_pkey PRIMARY KEY (id);


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);


--
-- PostgreSQL database dump complete
--

\unrestrict lYOCZcLughKdSlx1JR50wguHoVjGLnRKmkCcGtZPrnfPrHw35MR4Yvge6PyFBso

