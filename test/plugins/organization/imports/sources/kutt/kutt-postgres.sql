--
-- PostgreSQL database dump
--

\restrict ernS1KudenIW9jvBrNsbBRANdWdS6zhSsx2g6FkN1WfGYOFphfJMwwFYTRl7wZn

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
-- Name: domains; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.domains (
    id integer NOT NULL,
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    address character varying(255) NOT NULL,
    homepage character varying(255),
    user_id integer,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


ALTER TABLE public.domains OWNER TO postgres;

--
-- Name: domains_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.domains_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.domains_id_seq OWNER TO postgres;

--
-- Name: domains_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.domains_id_seq OWNED BY public.domains.id;


--
-- Name: hosts; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.hosts (
    id integer NOT NULL,
    address character varying(255) NOT NULL,
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


ALTER TABLE public.hosts OWNER TO postgres;

--
-- Name: hosts_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.hosts_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.hosts_id_seq OWNER TO postgres;

--
-- Name: hosts_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.hosts_id_seq OWNED BY public.hosts.id;


--
-- Name: ips; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.ips (
    id integer NOT NULL,
    ip character varying(255) NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


ALTER TABLE public.ips OWNER TO postgres;

--
-- Name: ips_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.ips_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.ips_id_seq OWNER TO postgres;

--
-- Name: ips_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.ips_id_seq OWNED BY public.ips.id;


--
-- Name: knex_migrations; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.knex_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


ALTER TABLE public.knex_migrations OWNER TO postgres;

--
-- Name: knex_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.knex_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.knex_migrations_id_seq OWNER TO postgres;

--
-- Name: knex_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.knex_migrations_id_seq OWNED BY public.knex_migrations.id;


--
-- Name: knex_migrations_lock; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.knex_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


ALTER TABLE public.knex_migrations_lock OWNER TO postgres;

--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.knex_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.knex_migrations_lock_index_seq OWNER TO postgres;

--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.knex_migrations_lock_index_seq OWNED BY public.knex_migrations_lock.index;


--
-- Name: links; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.links (
    id integer NOT NULL,
    address character varying(255) NOT NULL,
    description character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    domain_id integer,
    password character varying(255),
    expire_in timestamp with time zone,
    target character varying(2040) NOT NULL,
    user_id integer,
    visit_count integer DEFAULT 0 NOT NULL,
    uuid uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


ALTER TABLE public.links OWNER TO postgres;

--
-- Name: links_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.links_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.links_id_seq OWNER TO postgres;

--
-- Name: links_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.links_id_seq OWNED BY public.links.id;


--
-- Name: users; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.users (
    id integer NOT NULL,
    apikey character varying(255),
    banned boolean DEFAULT false NOT NULL,
    banned_by_id integer,
    email character varying(255) NOT NULL,
    role text DEFAULT 'USER'::text NOT NULL,
    password character varying(255) NOT NULL,
    reset_password_expires timestamp with time zone,
    reset_password_token character varying(255),
    change_email_expires timestamp with time zone,
    change_email_token character varying(255),
    change_email_address character varying(255),
    verification_expires timestamp with time zone,
    verification_token character varying(255),
    verified boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text])))
);


ALTER TABLE public.users OWNER TO postgres;

--
-- Name: users_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.users_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.users_id_seq OWNER TO postgres;

--
-- Name: users_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;


--
-- Name: visits; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visits (
    id integer NOT NULL,
    countries jsonb,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    link_id integer,
    user_id integer,
    referrers jsonb,
    total integer DEFAULT 0 NOT NULL,
    br_chrome integer DEFAULT 0 NOT NULL,
    br_edge integer DEFAULT 0 NOT NULL,
    br_firefox integer DEFAULT 0 NOT NULL,
    br_ie integer DEFAULT 0 NOT NULL,
    br_opera integer DEFAULT 0 NOT NULL,
    br_other integer DEFAULT 0 NOT NULL,
    br_safari integer DEFAULT 0 NOT NULL,
    os_android integer DEFAULT 0 NOT NULL,
    os_ios integer DEFAULT 0 NOT NULL,
    os_linux integer DEFAULT 0 NOT NULL,
    os_macos integer DEFAULT 0 NOT NULL,
    os_other integer DEFAULT 0 NOT NULL,
    os_windows integer DEFAULT 0 NOT NULL
);


ALTER TABLE public.visits OWNER TO postgres;

--
-- Name: visits_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.visits_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.visits_id_seq OWNER TO postgres;

--
-- Name: visits_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.visits_id_seq OWNED BY public.visits.id;


--
-- Name: domains id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains ALTER COLUMN id SET DEFAULT nextval('public.domains_id_seq'::regclass);


--
-- Name: hosts id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.hosts ALTER COLUMN id SET DEFAULT nextval('public.hosts_id_seq'::regclass);


--
-- Name: ips id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.ips ALTER COLUMN id SET DEFAULT nextval('public.ips_id_seq'::regclass);


--
-- Name: knex_migrations id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.knex_migrations ALTER COLUMN id SET DEFAULT nextval('public.knex_migrations_id_seq'::regclass);


--
-- Name: knex_migrations_lock index; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.knex_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.knex_migrations_lock_index_seq'::regclass);


--
-- Name: links id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links ALTER COLUMN id SET DEFAULT nextval('public.links_id_seq'::regclass);


--
-- Name: users id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);


--
-- Name: visits id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits ALTER COLUMN id SET DEFAULT nextval('public.visits_id_seq'::regclass);


--
-- Data for Name: domains; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.domains (id, banned, banned_by_id, address, homepage, user_id, uuid, created_at, updated_at) FROM stdin;
1	f	\N	go.kutt.test	https://example.com/home	2	68c3ce70-fff0-476d-9a64-a9d21aec6f6d	2026-11-27 05:08:15.112693+00	2026-11-27 05:08:15.112693+00
\.


--
-- Data for Name: hosts; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.hosts (id, address, banned, banned_by_id, created_at, updated_at) FROM stdin;
\.


--
-- Data for Name: ips; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.ips (id, ip, created_at, updated_at) FROM stdin;
\.


--
-- Data for Name: knex_migrations; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.knex_migrations (id, name, batch, migration_time) FROM stdin;
1	20200211220920_constraints.js	1	2026-11-27 05:08:01.934+00
2	20200510140704_domains.js	1	2026-11-27 05:08:01.973+00
3	20200718124944_description.js	1	2026-11-27 05:08:01.986+00
4	20200730203154_expire_in.js	1	2026-11-27 05:08:02+00
5	20200810195255_change_email.js	1	2026-11-27 05:08:02.007+00
6	20241103083933_user-roles.js	1	2026-11-27 05:08:02.018+00
7	20241223062111_indexes.js	1	2026-11-27 05:08:02.092+00
8	20241223103044_visits_user_id.js	1	2026-11-27 05:08:02.101+00
9	20241223155527_visits_user_id_index.js	1	2026-11-27 05:08:02.106+00
10	20250106070444_remove_cooldown.js	1	2026-11-27 05:08:02.131+00
\.


--
-- Data for Name: knex_migrations_lock; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.knex_migrations_lock (index, is_locked) FROM stdin;
1	0
\.


--
-- Data for Name: links; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.links (id, address, description, banned, banned_by_id, domain_id, password, expire_in, target, user_id, visit_count, uuid, created_at, updated_at) FROM stdin;
2	secret	\N	f	\N	\N	$2a$12$dpqAtLklpgwI2ALOftVWt.2h8GVIHLObVzv/hna0w1d53tLhP9m0.	\N	https://example.com/secret	1	0	36cd2e54-c254-45ba-86be-6c8d9dbee1f6	2026-11-27 05:08:16.348575+00	2026-11-27 05:08:16.348575+00
3	soon-gone	\N	f	\N	\N	\N	2026-11-29 05:08:16.398+00	https://example.com/	2	0	6b4156d9-2d86-4e99-bec7-a4c7ff43adff	2026-11-27 05:08:16.412943+00	2026-11-27 05:08:16.412943+00
4	spring	\N	f	\N	1	\N	\N	https://example.org/café	2	0	4f2db3e1-d252-41ea-bbbf-3f8ea40a536e	2026-11-27 05:08:16.4304+00	2026-11-27 05:08:16.4304+00
5	mail	\N	f	\N	\N	\N	\N	mailto:ada@example.org	2	0	f7d81017-7334-43dc-b5bb-6f666aa41bc7	2026-11-27 05:08:16.466992+00	2026-11-27 05:08:16.466992+00
1	Spring	It's spring – “sale”, 50 % \\ off 🌷	f	\N	\N	\N	\N	https://example.com/spring?a=1&b=2	1	5	3909a54d-c56d-4b36-a912-6dbfe31c7f3d	2026-11-27 05:08:15.162807+00	2026-11-27 05:08:15.162807+00
6	bad	\N	t	1	\N	\N	\N	https://example.com/bad	2	0	f3cc4318-4924-4c95-8719-53bfae0a0694	2026-11-27 05:08:16.535656+00	2026-11-27 05:08:17.788+00
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.users (id, apikey, banned, banned_by_id, email, role, password, reset_password_expires, reset_password_token, change_email_expires, change_email_token, change_email_address, verification_expires, verification_token, verified, created_at, updated_at) FROM stdin;
1	_dPomyaBPa-CiNQVIE1blfF1nl3LtEigbzW8UK3r	f	\N	ada@example.org	ADMIN	$2a$12$FvxDyuwMN532zApS26MTyOOalMje1O6sBDOI8.kdeuK2Ovx8oyR8q	\N	\N	\N	\N	\N	2026-11-27 06:08:11.623+00	31413f82-ccfe-4bc5-9923-6add7a82996b	t	2026-11-27 05:08:11.640492+00	2026-11-27 05:08:13.321+00
2	72uaGCGkIWnHiPsDYjrodSENABj71pmRiS2SOXkR	f	\N	grace@example.org	USER	$2a$12$AYvWeLGyU0CvRkVne3FXUuwzRfLHY4bP0f5xzYAsnUZQasMTwqvt.	\N	\N	\N	\N	\N	\N	\N	t	2026-11-27 05:08:14.36313+00	2026-11-27 05:08:15.046+00
\.


--
-- Data for Name: visits; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.visits (id, countries, created_at, updated_at, link_id, user_id, referrers, total, br_chrome, br_edge, br_firefox, br_ie, br_opera, br_other, br_safari, os_android, os_ios, os_linux, os_macos, os_other, os_windows) FROM stdin;
1	{"gb": 2, "us": 3}	2026-11-27 05:08:16.592175+00	2026-11-27 05:08:16.76+00	1	1	{"direct": 1, "t[dot]co": 3, "news[dot]example[dot]com": 1}	5	3	0	1	0	0	0	1	0	1	1	0	0	3
\.


--
-- Name: domains_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.domains_id_seq', 1, true);


--
-- Name: hosts_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.hosts_id_seq', 1, false);


--
-- Name: ips_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.ips_id_seq', 1, false);


--
-- Name: knex_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.knex_migrations_id_seq', 10, true);


--
-- Name: knex_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.knex_migrations_lock_index_seq', 1, true);


--
-- Name: links_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.links_id_seq', 6, true);


--
-- Name: users_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.users_id_seq', 2, true);


--
-- Name: visits_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.visits_id_seq', 1, true);


--
-- Name: domains domains_address_unique; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_address_unique UNIQUE (address);


--
-- Name: domains domains_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);


--
-- Name: hosts hosts_address_unique; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_address_unique UNIQUE (address);


--
-- Name: hosts hosts_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_pkey PRIMARY KEY (id);


--
-- Name: ips ips_ip_unique; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.ips
    ADD CONSTRAINT ips_ip_unique UNIQUE (ip);


--
-- Name: ips ips_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.ips
    ADD CONSTRAINT ips_pkey PRIMARY KEY (id);


--
-- Name: knex_migrations_lock knex_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.knex_migrations_lock
    ADD CONSTRAINT knex_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: knex_migrations knex_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.knex_migrations
    ADD CONSTRAINT knex_migrations_pkey PRIMARY KEY (id);


--
-- Name: links links_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);


--
-- Name: users users_apikey_unique; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_apikey_unique UNIQUE (apikey);


--
-- Name: users users_email_unique; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (id);


--
-- Name: domains_address_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX domains_address_index ON public.domains USING btree (address);


--
-- Name: domains_user_id_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX domains_user_id_index ON public.domains USING btree (user_id);


--
-- Name: hosts_address_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX hosts_address_index ON public.hosts USING btree (address);


--
-- Name: links_address_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX links_address_index ON public.links USING btree (address);


--
-- Name: links_domain_id_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX links_domain_id_index ON public.links USING btree (domain_id);


--
-- Name: links_expire_in_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX links_expire_in_index ON public.links USING btree (expire_in);


--
-- Name: links_user_id_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX links_user_id_index ON public.links USING btree (user_id);


--
-- Name: visits_link_id_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX visits_link_id_index ON public.visits USING btree (link_id);


--
-- Name: visits_user_id_index; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX visits_user_id_index ON public.visits USING btree (user_id);


--
-- Name: domains domains_banned_by_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);


--
-- Name: domains domains_user_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE SET NULL;


--
-- Name: hosts hosts_banned_by_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);


--
-- Name: links links_banned_by_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);


--
-- Name: links links_domain_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_domain_id_foreign FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: links links_user_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- Name: users users_banned_by_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_banned_by_id_foreign FOREIGN KEY (banned_by_id) REFERENCES public.users(id);


--
-- Name: visits visits_link_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_link_id_foreign FOREIGN KEY (link_id) REFERENCES public.links(id) ON DELETE CASCADE;


--
-- Name: visits visits_user_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict ernS1KudenIW9jvBrNsbBRANdWdS6zhSsx2g6FkN1WfGYOFphfJMwwFYTRl7wZn

