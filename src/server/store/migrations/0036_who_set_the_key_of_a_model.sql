ALTER TABLE "chat_models" ADD COLUMN "key_set_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_models" ADD COLUMN "key_set_by" integer;--> statement-breakpoint
ALTER TABLE "chat_models" ADD CONSTRAINT "chat_models_key_set_by_users_id_fk" FOREIGN KEY ("key_set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;