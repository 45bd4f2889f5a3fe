CREATE TABLE "audit_streams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sink" text NOT NULL,
	"chain" integer NOT NULL,
	"company_id" integer,
	"url" "bytea",
	"origin" text,
	"secret" "bytea",
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"hash" "bytea",
	"confirmed_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failed_at" timestamp with time zone,
	"problem" text,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_streams_chain" ON "audit_streams" USING btree ("sink","chain");