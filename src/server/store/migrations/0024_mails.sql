CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"content" "bytea" NOT NULL,
	"invitation_id" integer,
	"invitation_hash" "bytea",
	"tries" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"give_up_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_next" ON "mails" USING btree ("next_at");