CREATE TABLE "open_shells" (
	"entry" bigint PRIMARY KEY NOT NULL,
	"company_id" integer NOT NULL,
	"recording_id" uuid,
	"beat_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "open_shells" ADD CONSTRAINT "open_shells_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_shells_beat" ON "open_shells" USING btree ("beat_at");